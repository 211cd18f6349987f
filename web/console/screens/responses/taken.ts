import { useQueryClient } from '@tanstack/react-query'
import type { Schemas } from '../../../api/client.ts'

type Response = Schemas['Response']

/** Keeps an answer of the API as the response that is shown, and has the lists ask again. */
export function useTaken() {
  const client = useQueryClient()
  return (next: Response) => {
    client.setQueryData(['response', next.id], next)
    void client.invalidateQueries({ queryKey: ['responses'] })
  }
}
