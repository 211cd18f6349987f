import { declareEntity, type RowOf } from '../../../../platform/fields/entity.ts'
import { boolean, date, idOf, oneOf, orNull, text, whole } from '../../../../platform/fields/values.ts'
import { DeliveryStatus } from './deliveries.schema.ts'

// It names nobody. Its attempts may repeat what the receiver was sent (`webhook_attempts`).
const KEPT = { erased: 'kept' } as const

/** Every field of a webhook delivery. */
export const deliveries = declareEntity(
  { table: 'webhook_deliveries', rows: 'stay' },
  {
    id: { is: idOf('delivery'), fixed: true, shown: true, ...KEPT },
    webhook_id: { is: idOf('webhook'), fixed: true, shown: true, filter: true, ...KEPT },
    event: { is: text, fixed: true, shown: true, filter: true, ...KEPT },
    event_id: { is: idOf('event'), fixed: true, shown: true, ...KEPT },
    survey_id: { is: orNull(idOf('survey')), fixed: true, shown: true, filter: true, ...KEPT },
    status: { is: oneOf(DeliveryStatus.options), shown: true, filter: true, ...KEPT },
    dead_lettered: { is: boolean, shown: true, filter: true, ...KEPT },
    abandoned: { is: boolean, apart: true, ...KEPT },
    superseded: { is: boolean, apart: true, ...KEPT },
    attempts: { is: whole, shown: true, ...KEPT },
    attempts_logged: { is: whole, apart: true, ...KEPT },
    max_attempts: { within: 'attempts', shown: 'number' },
    next_attempt_at: { within: 'webhook_queue', shown: 'date' },
    last_status_code: { is: orNull(whole), shown: true, ...KEPT },
    last_error: { is: orNull(text), shown: true, ...KEPT },
    last_latency_ms: { is: orNull(whole), shown: true, ...KEPT },
    created_at: { is: date, fixed: true, shown: true, filter: true, ...KEPT },
    delivered_at: { is: orNull(date), shown: true, ...KEPT },
    // The backfill that sent it again, or what stands there for none and for tests.
    backfill_id: { is: idOf('backfill'), fixed: true, ...KEPT },
    // People read the day of `created_at` in place of later moments: it belongs to an anonymous survey.
    by_day: { is: boolean, fixed: true, ...KEPT },
  },
)

/** With its place in the queue, while it has one. */
export type DeliveryRow = RowOf<typeof deliveries> & { next_attempt_at: Date | null }
