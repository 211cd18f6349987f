import { sql } from '../../../platform/database/database.ts'
import type { Fields, PlainField } from '../../../platform/filter/entity.ts'

/** The fields of a webhook delivery that filters may test (docs/filters.md). */
export const deliveryFields: Fields = {
  status: { ...column('text', 'status'), values: ['pending', 'delivered', 'failed'] },
  event: column('text', 'event'),
  webhook_id: { ...column('id', 'webhook_id'), idKind: 'webhook' },
  survey_id: { ...column('id', 'survey_id'), idKind: 'survey' },
  dead_lettered: column('boolean', 'dead_lettered'),
  created_at: column('date', 'created_at'),
}

function column(kind: 'text' | 'date' | 'id' | 'boolean', name: string): PlainField {
  return { kind, sql: ({ alias }) => sql.ref(`${alias}.${name}`), read: (row: Record<string, unknown>) => row[name] }
}
