import { type RawBuilder, type ReadTx, sql } from '../../../platform/database.ts'
import type { ExportKey } from '../../../platform/export-source.ts'

/** @param condition a filter on the alias `r`. Deleted ones only if it names states. */
export function selectKeys(
  tx: ReadTx,
  condition: RawBuilder<unknown>,
  { namesState }: { namesState: boolean },
): RawBuilder<ExportKey> {
  return sql<ExportKey>`
    select r.id, null::text as member from responses r
    where r.tenant_id = ${tx.tenantId} and ${namesState ? sql`true` : sql`r.state <> 'deleted'`} and ${condition}`
}
