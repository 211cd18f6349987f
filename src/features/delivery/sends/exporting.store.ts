import { type RawBuilder, type ReadTx, sql } from '../../../platform/database.ts'
import type { ExportKey } from '../../../platform/export-source.ts'
import type { Fields, PlainField } from '../../../platform/filter/entity.ts'
import { SEND_STATUSES } from './send-state.ts'

/** The fields of a send that filters of exports may test. */
export const sendFields: Fields = {
  status: { ...column('text', 'status'), values: SEND_STATUSES },
  channel: { ...column('text', 'channel'), values: ['email', 'sms', 'voice'] },
  survey_id: { ...column('id', 'survey_id'), idKind: 'survey' },
  invitation_id: { ...column('id', 'invitation_id'), idKind: 'invitation' },
  created_at: column('date', 'created_at'),
}

/** @param condition a filter on the alias `s`. */
export function selectKeys(tx: ReadTx, condition: RawBuilder<unknown>): RawBuilder<ExportKey> {
  return sql<ExportKey>`
    select s.id, null::text as member from sends s where s.tenant_id = ${tx.tenantId} and ${condition}`
}

// Nobody evaluates these filters in memory.
function column(kind: 'text' | 'date' | 'id', name: string): PlainField {
  return { kind, sql: ({ alias }) => sql.ref(`${alias}.${name}`), read: () => undefined }
}
