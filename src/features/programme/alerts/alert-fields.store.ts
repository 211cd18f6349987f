import { sql } from '../../../platform/database/database.ts'
import type { Fields, PlainField } from '../../../platform/filter/entity.ts'
import type { IdKind } from '../../../platform/ids.ts'
import { ALERT_STATUSES } from './alert-steps.ts'
import type { AlertRow } from './alert-row.ts'
import { PRIORITIES } from './rules/rules.schema.ts'

/** The fields of an alert that filters may test (docs/filters.md). */
export const alertFields: Fields = {
  status: { ...column('text', 'status'), values: ALERT_STATUSES },
  priority: { ...column('text', 'priority'), values: PRIORITIES },
  rule_id: id('rule_id', 'alertRule'),
  survey_id: id('survey_id', 'survey'),
  owner_id: id('owner_id', 'user'),
  overdue: {
    kind: 'boolean',
    sql: ({ alias, now }) =>
      sql`coalesce(${sql.ref(`${alias}.due_at`)} < ${now}::timestamptz and ${sql.ref(`${alias}.status`)} not in ('resolved', 'closed'), false)`,
    // Nobody evaluates a filter of alerts in memory.
    read: () => undefined,
  },
  opened_at: column('date', 'opened_at'),
  due_at: column('date', 'due_at'),
}

function column(kind: 'text' | 'date', name: keyof AlertRow): PlainField {
  return { kind, sql: ({ alias }) => sql.ref(`${alias}.${name}`), read: (row: AlertRow) => row[name] }
}

function id(name: keyof AlertRow, idKind: IdKind): PlainField {
  return { ...column('text', name), kind: 'id', idKind }
}
