import { useQuery } from '@tanstack/react-query'
import type { Schemas } from '../../api/client.ts'
import { OPEN_STATUSES } from '../list/states.ts'
import { answerOf, api } from '../session/api.ts'

interface NavCount {
  n: number
  isBad?: boolean
}

const LOOK_MS = 60_000
const filter = JSON.stringify({ all: [{ field: 'status', op: 'one_of', value: OPEN_STATUSES }] })
// Each open tab asks, so it asks for open alerts alone, and not for each change that the stream names.
const openAlertsQuery = {
  queryKey: ['open-alerts'],
  queryFn: async () => {
    const { counts } = await answerOf(api.GET('/v1/alerts', { params: { query: { limit: 1, filter } } }))
    return OPEN_STATUSES.reduce((sum, status) => sum + counts[status], 0)
  },
  staleTime: LOOK_MS,
  refetchInterval: LOOK_MS,
}
// Home and the list of endpoints read it. It is too heavy to be read for its number alone.
const knownEndpoints = { queryKey: ['webhooks'], enabled: false }

/** The numbers beside entries of the navigation, by name: open alerts, and endpoints that are known to fail. */
export function useNavCounts(): Record<string, NavCount> {
  const alerts = useQuery(openAlertsQuery)
  const endpoints = useQuery<Schemas['WebhookWithHealthPage']>(knownEndpoints)
  const failing = endpoints.data?.data.filter(({ health }) => health?.state === 'failing') ?? []
  return { alerts: { n: alerts.data ?? 0 }, webhooks: { n: failing.length, isBad: true } }
}
