import { sql } from '../../../platform/database/database.ts'
import { BY_ID, declareEntity, type RowOf, type SortAs } from '../../../platform/fields/entity.ts'
import { date, idOf, idsOf, number, oneOf, orNull, text, whole } from '../../../platform/fields/values.ts'
import { ALERT_STATUSES } from './alert-steps.ts'
import { PRIORITIES } from './rules/rules.schema.ts'

const KEPT = { erased: 'kept' } as const
const WORDS = { personal: 'words', erased: { to: 'null' }, shown: true } as const

// The condition of its index.
const byPriority: SortAs = { opens: (alias) => sql`${sql.ref(`${alias}.priority`)} > ''` }

/** Every field of an alert. */
export const alerts = declareEntity(
  {
    table: 'alerts',
    rows: 'stay',
    more: {
      overdue: {
        kind: 'boolean',
        sql: ({ alias, now }) =>
          sql`coalesce(${sql.ref(`${alias}.due_at`)} < ${now}::timestamptz and ${sql.ref(`${alias}.status`)} not in ('resolved', 'closed'), false)`,
        // Nobody evaluates a filter of alerts in memory.
        read: () => undefined,
      },
      agent_id: {
        kind: 'id',
        idKind: 'agent',
        sql: ({ tx, alias }) => sql`(
          select r.agent_id from responses r
          where r.tenant_id = ${tx.tenantId} and r.id = ${sql.ref(`${alias}.response_id`)})`,
        read: () => undefined,
      },
    },
  },
  {
    id: { is: idOf('alert'), fixed: true, shown: true, filter: BY_ID, ...KEPT },
    rule_id: { is: idOf('alertRule'), fixed: true, shown: true, filter: true, ...KEPT },
    response_id: { is: orNull(idOf('response')), fixed: true, shown: true, filter: BY_ID, ...KEPT },
    survey_id: { is: orNull(idOf('survey')), fixed: true, shown: true, filter: true, ...KEPT },
    person_id: { within: 'response_id', shown: 'text' },
    cause: { is: text, fixed: true, ...KEPT },
    status: { is: oneOf(ALERT_STATUSES), shown: true, filter: true, ...KEPT },
    priority: { is: oneOf(PRIORITIES), shown: true, filter: true, sort: byPriority, ...KEPT },
    owner_id: { is: orNull(idOf('user')), shown: true, filter: true, ...KEPT },
    opened_at: { is: date, fixed: true, shown: true, filter: true, sort: true, ...KEPT },
    due_at: { is: orNull(date), shown: true, filter: true, sort: true, ...KEPT },
    overdue: { within: 'due_at', shown: 'boolean' },
    escalate_at: { is: orNull(date), ...KEPT },
    escalate_to: { is: orNull(idOf('user')), fixed: true, ...KEPT },
    escalated_at: { is: orNull(date), shown: true, ...KEPT },
    acknowledged_at: { is: orNull(date), shown: true, ...KEPT },
    resolved_at: { is: orNull(date), shown: true, ...KEPT },
    closed_at: { is: orNull(date), shown: true, ...KEPT },
    root_cause: { is: orNull(text), sealed: true, ...WORDS },
    resolution: { is: orNull(text), sealed: true, ...WORDS },
    score: { is: orNull(number), fixed: true, shown: true, ...KEPT },
    excerpt: { is: orNull(text), sealed: true, ...WORDS },
    case_url: { is: orNull(text), ...WORDS },
    comment_count: { is: whole, shown: true, ...KEPT },
    notify: { is: idsOf('user'), fixed: true, ...KEPT },
    revision: { is: whole, ...KEPT },
  },
)

export type AlertRow = RowOf<typeof alerts>
