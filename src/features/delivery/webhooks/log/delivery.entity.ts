import { sql, type RawBuilder } from '../../../../platform/database/database.ts'
import { BY_ID, declareEntity, type RowOf } from '../../../../platform/fields/entity.ts'
import { boolean, date, idOf, oneOf, orNull, text, whole } from '../../../../platform/fields/values.ts'
import type { FilterContext, Fields } from '../../../../platform/filter/entity.ts'
import { endOfDay } from '../../../../platform/instant.ts'
import { DeliveryStatus } from './deliveries.schema.ts'

/** The cause of test deliveries, where others have a backfill. */
export const TEST_SENDING = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

// It names nobody. Its attempts may repeat what the receiver was sent (`webhook_attempts`).
const KEPT = { erased: 'kept' } as const

/** Every field of a webhook delivery. */
export const deliveries = declareEntity(
  {
    table: 'webhook_deliveries',
    rows: 'stay',
    more: filters(),
    // The lists of deliveries join the queue as `q`.
    sorts: { next_attempt_at: { type: 'timestamptz', value: shownInQueue, presence: atInQueue } },
  },
  {
    id: { is: idOf('delivery'), fixed: true, shown: true, filter: BY_ID, ...KEPT },
    webhook_id: { is: idOf('webhook'), fixed: true, shown: true, filter: true, ...KEPT },
    event: { is: text, fixed: true, shown: true, filter: true, ...KEPT },
    event_id: { is: idOf('event'), fixed: true, shown: true, filter: true, ...KEPT },
    survey_id: { is: orNull(idOf('survey')), fixed: true, shown: true, filter: true, ...KEPT },
    status: { is: oneOf(DeliveryStatus.options), shown: true, filter: true, ...KEPT },
    dead_lettered: { is: boolean, shown: true, filter: true, ...KEPT },
    abandoned: { is: boolean, apart: true, ...KEPT },
    superseded: { is: boolean, apart: true, ...KEPT },
    attempts: { is: whole, shown: true, filter: true, ...KEPT },
    attempts_logged: { is: whole, apart: true, ...KEPT },
    max_attempts: { within: 'attempts', shown: 'number' },
    next_attempt_at: { within: 'webhook_queue', shown: 'date' },
    waiting: { within: 'webhook_queue', shown: 'boolean' },
    last_status_code: { is: orNull(whole), shown: true, filter: { as: 'status_code' }, ...KEPT },
    last_error: { is: orNull(text), shown: true, ...KEPT },
    last_latency_ms: { is: orNull(whole), shown: true, ...KEPT },
    created_at: { is: date, fixed: true, shown: true, filter: true, sort: true, ...KEPT },
    delivered_at: { is: orNull(date), shown: true, ...KEPT },
    // The backfill that sent it again, or what stands there for none and for tests.
    backfill_id: { is: idOf('backfill'), fixed: true, ...KEPT },
    // People read the day of `created_at` in place of later moments: it belongs to an anonymous survey.
    by_day: { is: boolean, fixed: true, ...KEPT },
  },
)

/** With its place in the queue, while it has one, and the source of its event. */
export type DeliveryRow = RowOf<typeof deliveries> & {
  next_attempt_at: Date | null
  /** Whether it is in the queue. */
  waiting: boolean
  /** Of its event. Null once its retention has passed. */
  source: string | null
}

function atInQueue(): RawBuilder<unknown> {
  return sql.ref('q.next_attempt_at')
}

function shownInQueue(alias: string): RawBuilder<unknown> {
  return shownNext(atInQueue(), alias)
}

/** When it is tried next, as people read it: of an anonymous survey, the end of that day. */
function shownNext(at: RawBuilder<unknown>, alias: string): RawBuilder<unknown> {
  const isByDay = sql.ref(`${alias}.by_day`)
  return sql`case when ${isByDay} then date_bin('1 day', ${at}, 'epoch') + interval '1 day' else ${at} end`
}

/** The same of a row. */
export function nextAttemptAt({ by_day: byDay, next_attempt_at: at }: DeliveryRow): Date | null {
  return at && byDay ? endOfDay(at) : at
}

function filters(): Fields {
  return {
    next_attempt_at: {
      kind: 'date',
      sql: ({ tx, alias }: FilterContext) => sql`(
        select ${shownNext(sql.ref('w.next_attempt_at'), alias)} from webhook_queue w
        where w.tenant_id = ${tx.tenantId} and w.delivery_id = ${sql.ref(`${alias}.id`)})`,
      read: nextAttemptAt,
    },
    waiting: {
      kind: 'boolean',
      ops: ['eq', 'ne'],
      sql: ({ tx, alias }: FilterContext) => sql`exists (
        select from webhook_queue w
        where w.tenant_id = ${tx.tenantId} and w.delivery_id = ${sql.ref(`${alias}.id`)})`,
      read: (row: DeliveryRow) => row.waiting,
    },
    test: {
      kind: 'boolean',
      ops: ['eq', 'ne'],
      sql: ({ alias }: FilterContext) => sql`(${sql.ref(`${alias}.backfill_id`)} = ${TEST_SENDING}::uuid)`,
      read: (row: DeliveryRow) => row.backfill_id === TEST_SENDING,
    },
  }
}
