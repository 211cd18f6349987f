import { sql } from '../../../platform/database/database.ts'
import type { Fields, PlainField } from '../../../platform/filter/entity.ts'
import { LEAD_SOURCES, LEAD_STATUSES } from './leads.schema.ts'
import type { LeadRow } from './lead-row.ts'

/** The fields of a lead that filters may test (docs/filters.md). */
export const leadFields: Fields = {
  status: { ...column('text', 'status'), values: LEAD_STATUSES },
  source: { ...column('text', 'source'), values: LEAD_SOURCES },
  survey_id: { ...column('id', 'survey_id'), idKind: 'survey' },
  owner_id: { ...column('id', 'owner_id'), idKind: 'user' },
  tag: column('list', 'tags'),
  created_at: column('date', 'created_at'),
  follow_up_at: column('date', 'follow_up_at'),
}

function column(kind: 'text' | 'date' | 'list' | 'id', name: keyof LeadRow): PlainField {
  return { kind, sql: ({ alias }) => sql.ref(`${alias}.${name}`), read: (row: LeadRow) => row[name] }
}
