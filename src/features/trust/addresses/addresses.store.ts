import { type ReadTx, sql, type TenantTx } from '../../../platform/database/database.ts'

export async function findKey(tx: ReadTx): Promise<string | null> {
  const row = await tx.maybe(sql<{ sealed: string }>`select sealed from address_keys where tenant_id = ${tx.tenantId}`)
  return row?.sealed ?? null
}

/** Inserts nothing if another request was first. */
export function insertKey(tx: TenantTx, sealed: string, now: Date): Promise<number> {
  return tx.run(
    sql`insert into address_keys (tenant_id, sealed, created_at) values (${tx.tenantId}, ${sealed}, ${now}) on conflict (tenant_id) do nothing`,
  )
}
