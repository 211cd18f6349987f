import { answerOf, api } from '../session/api.ts'
import { unlessLive } from '../app/live.ts'

const LOOK_MS = 60_000

/** How many notifications the caller has not read. */
export const unreadQuery = {
  queryKey: ['notifications', 'unread'],
  queryFn: async () => {
    const { unread } = await answerOf(
      api.GET('/v1/notifications', { params: { query: { peek: 'true', unread: 'true', limit: 1 } } }),
    )
    return unread
  },
  refetchInterval: unlessLive(LOOK_MS),
}
