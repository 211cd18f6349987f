import { sql, type SystemTx, type TenantTx } from './database.ts'
import type { TenantId } from './ids.ts'

/** Which tenant an identifier leads to; null when it leads nowhere. */
export async function findTenant(tx: SystemTx, kind: string, key: string): Promise<TenantId | null> {
  const [row] = await tx.prepared<{ tenant_id: TenantId }>({
    name: 'find_tenant',
    text: 'select tenant_id from directory where kind = $1 and key = $2',
    values: [kind, key],
  })
  return row?.tenant_id ?? null
}

/** Every tenant that an identifier leads to, oldest first; a person may be a member of several. */
export async function listTenants(tx: SystemTx, kind: string, key: string): Promise<TenantId[]> {
  const rows = await tx.many(
    sql<{
      tenant_id: TenantId
    }>`select tenant_id from directory where kind = ${kind} and key = ${key} order by tenant_id`,
  )
  return rows.map((row) => row.tenant_id)
}

/** Publishes identifiers of this tenant. @throws a unique violation when another tenant owns one. */
export async function register(tx: TenantTx, kind: string, keys: string[]): Promise<void> {
  await tx.run(sql`
    insert into directory (kind, key, tenant_id)
    select ${kind}, key, ${tx.tenantId}::uuid from unnest(${keys}::text[]) as given(key)
    returning key`)
}

/** Publishes what nobody has published yet, and leaves the rest as it is: for identifiers that others make. */
export async function registerFree(tx: TenantTx, kind: string, keys: string[]): Promise<void> {
  await tx.run(sql`
    insert into directory (kind, key, tenant_id)
    select ${kind}, key, ${tx.tenantId}::uuid from unnest(${keys}::text[]) as given(key)
    on conflict do nothing returning key`)
}

export async function unregister(tx: TenantTx, kind: string, keys: string[]): Promise<void> {
  if (keys.length === 0) return
  await tx.run(
    sql`delete from directory where tenant_id = ${tx.tenantId} and kind = ${kind} and key = any(${keys}::text[])`,
  )
}
