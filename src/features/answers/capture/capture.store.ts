import { sql, type SystemTx } from '../../../platform/database.ts'
import type { Id, TenantId } from '../../../platform/ids.ts'

export async function findTenantOfSurvey(tx: SystemTx, id: Id<'survey'>): Promise<TenantId | null> {
  const row = await tx.maybe(sql<{ tenant_id: TenantId }>`select tenant_id from directory where kind = 'survey' and key = ${id}`)
  return row?.tenant_id ?? null
}
