import { type RawBuilder, type ReadTx, sql } from '../../../platform/database/database.ts'
import type { ExportKey } from '../../../platform/export-source.ts'
import type { Fields, PlainField } from '../../../platform/filter/entity.ts'

/** The fields of an entry that filters of exports may test. Actors and targets are ids, as the list takes them. */
export const entryFields: Fields = {
  actor: column('text', 'actor_id'),
  action: column('text', 'action'),
  target: column('text', 'target_id'),
  outcome: { ...column('text', 'outcome'), values: ['ok', 'refused', 'failed'] },
  at: column('date', 'at'),
}

/** @param condition a filter on the alias `e`. */
export function selectKeys(tx: ReadTx, condition: RawBuilder<unknown>): RawBuilder<ExportKey> {
  return sql<ExportKey>`
    select e.id, null::text as member from audit_entries e where e.tenant_id = ${tx.tenantId} and ${condition}`
}

// Nobody evaluates these filters in memory.
function column(kind: 'text' | 'date', name: string): PlainField {
  return { kind, sql: ({ alias }) => sql.ref(`${alias}.${name}`), read: () => undefined }
}
