import { type RawBuilder, type ReadTx, sql } from '../../../../platform/database/database.ts'
import type { ExportKey } from '../../../../platform/export-source.ts'

/** @param condition a filter on the alias `d`. */
export function selectKeys(tx: ReadTx, condition: RawBuilder<unknown>): RawBuilder<ExportKey> {
  return sql<ExportKey>`
    select d.id, null::text as member from webhook_deliveries d where d.tenant_id = ${tx.tenantId} and ${condition}`
}
