import type { Schemas } from '../../../api/client.ts'
import type { ListState } from '../../app/list-state.ts'
import { PAGE_ROWS, usePages, type Rows } from '../../list/pages.ts'
import { answerOf, api } from '../../session/api.ts'

export type Delivery = Schemas['WebhookDelivery']

interface Moves {
  isHeld?: boolean
  refreshEvery?: number
}

/** The deliveries of a list, page by page. */
export function useDeliveryPages({ filter, sort }: ListState, moves: Moves = {}): Rows<Delivery> {
  const wanted = filter === undefined ? undefined : JSON.stringify(filter)
  return usePages<Delivery>({
    queryKey: ['deliveries', wanted, sort],
    ...moves,
    fetchPage: (cursor) =>
      answerOf(
        api.GET('/v1/webhook-deliveries', {
          params: {
            query: {
              limit: PAGE_ROWS,
              ...(cursor !== null && { cursor }),
              ...(cursor === null && { count: 'true' as const }),
              ...(wanted !== undefined && { filter: wanted }),
              ...(sort !== undefined && { sort }),
            },
          },
        }),
      ),
  })
}
