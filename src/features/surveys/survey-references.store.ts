import { sql, type TenantTx } from '../../platform/database.ts'
import type { Id } from '../../platform/ids.ts'

export async function listExistingSurveys(tx: TenantTx, ids: Id<'survey'>[]): Promise<Set<string>> {
  const rows = await tx.many(sql<{ id: string }>`select id from surveys where tenant_id = ${tx.tenantId} and id = any(${ids}::uuid[])`)
  return new Set(rows.map((row) => row.id))
}
