import { type RawBuilder, type ReadTx, sql } from '../../../platform/database/database.ts'
import type { ExportKey } from '../../../platform/export-source.ts'

/** @param condition a filter on the alias `s`. */
export function selectKeys(tx: ReadTx, condition: RawBuilder<unknown>): RawBuilder<ExportKey> {
  return sql<ExportKey>`
    select s.id, null::text as member from sends s where s.tenant_id = ${tx.tenantId} and ${condition}`
}
