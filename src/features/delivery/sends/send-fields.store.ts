import { sql } from '../../../platform/database/database.ts'
import type { Fields, PlainField } from '../../../platform/filter/entity.ts'
import { SEND_STATUSES } from './send-state.ts'

/** The fields of a send that filters may test (docs/filters.md). */
export const sendFields: Fields = {
  status: { ...column('text', 'status'), values: SEND_STATUSES },
  channel: { ...column('text', 'channel'), values: ['email', 'sms', 'voice'] },
  language: column('text', 'language'),
  survey_id: { ...column('id', 'survey_id'), idKind: 'survey' },
  invitation_id: { ...column('id', 'invitation_id'), idKind: 'invitation' },
  agent_id: { ...column('id', 'agent_id'), idKind: 'agent' },
  created_at: column('date', 'created_at'),
}

function column(kind: 'text' | 'date' | 'id', name: string): PlainField {
  return { kind, sql: ({ alias }) => sql.ref(`${alias}.${name}`), read: (row: Record<string, unknown>) => row[name] }
}
