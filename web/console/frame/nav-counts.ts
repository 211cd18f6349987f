import { useQuery } from '@tanstack/react-query'
import type { Schemas } from '../../api/client.ts'
import { unlessLive } from '../app/live.ts'
import { answerOf, api } from '../session/api.ts'

interface NavCount {
  n: number
  isBad?: boolean
}

const LOOK_MS = 60_000
const openAlertsQuery = {
  queryKey: ['alerts', 'open'],
  queryFn: async () => {
    const { counts } = await answerOf(api.GET('/v1/alerts', { params: { query: { limit: 1 } } }))
    return counts.new + counts.reopened + counts.acknowledged + counts.in_progress
  },
  refetchInterval: unlessLive(LOOK_MS),
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
