import { QueryClient } from '@tanstack/react-query'
import { ApiProblem } from '../../api/client.ts'

const TRIES = 2

/** A refusal is final. Only a failure of the server or the network is tried again, once. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (failures, error) =>
        failures < TRIES - 1 && !(error instanceof ApiProblem && error.status >= 400 && error.status < 500),
      throwOnError: false,
    },
  },
})
