import { unlessLive } from '../../app/live.ts'
import { answerOf, api } from '../../session/api.ts'

const MOST = 100

export const webhooksQuery = {
  queryKey: ['webhooks'],
  queryFn: () => answerOf(api.GET('/v1/webhooks', { params: { query: { limit: MOST, include: 'health' as const } } })),
  refetchInterval: unlessLive(15_000),
}
