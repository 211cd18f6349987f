import { type RawBuilder, type ReadTx, sql } from '../../../../platform/database.ts'
import type { ExportKey } from '../../../../platform/export-source.ts'
import type { Fields, PlainField } from '../../../../platform/filter/entity.ts'

/** The fields of a delivery that filters of exports may test. */
export const deliveryFields: Fields = {
  status: { ...column('text', 'status'), values: ['pending', 'delivered', 'failed'] },
  dead_lettered: column('boolean', 'dead_lettered'),
  webhook_id: { ...column('id', 'webhook_id'), idKind: 'webhook' },
  event: column('text', 'event'),
  survey_id: { ...column('id', 'survey_id'), idKind: 'survey' },
  created_at: column('date', 'created_at'),
}

/** @param condition a filter on the alias `d`. */
export function selectKeys(tx: ReadTx, condition: RawBuilder<unknown>): RawBuilder<ExportKey> {
  return sql<ExportKey>`
    select d.id, null::text as member from webhook_deliveries d where d.tenant_id = ${tx.tenantId} and ${condition}`
}

// Nobody evaluates these filters in memory.
function column(kind: 'text' | 'date' | 'id' | 'boolean', name: string): PlainField {
  return { kind, sql: ({ alias }) => sql.ref(`${alias}.${name}`), read: () => undefined }
}
