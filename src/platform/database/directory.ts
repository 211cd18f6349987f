import { sql, type SystemTx, type TenantTx } from './database.ts'
import type { TenantId } from '../ids.ts'

/** The tenant of an identifier. Null if the identifier is unknown. */
export async function findTenant(tx: SystemTx, kind: string, key: string): Promise<TenantId | null> {
  const [row] = await tx.prepared<{ tenant_id: TenantId }>({
    name: 'find_tenant',
    text: 'select tenant_id from directory where kind = $1 and key = $2',
    values: [kind, key],
  })
  return row?.tenant_id ?? null
}

/** Every tenant of an identifier, oldest first. A person may be a member of several. */
export async function listTenants(tx: SystemTx, kind: string, key: string): Promise<TenantId[]> {
  const rows = await tx.many(
    sql<{
      tenant_id: TenantId
    }>`select tenant_id from directory where kind = ${kind} and key = ${key} order by tenant_id`,
  )
  return rows.map((row) => row.tenant_id)
}

/** Every identifier of a kind. Only for kinds that people assign one by one. */
export function listKeys(tx: SystemTx, kind: string): Promise<Array<{ key: string; tenant_id: TenantId }>> {
  return tx.many(
    sql<{ key: string; tenant_id: TenantId }>`select key, tenant_id from directory where kind = ${kind} order by key`,
  )
}

/** Registers identifiers of this tenant. @throws a unique violation if another tenant has one. */
export async function register(tx: TenantTx, kind: string, keys: string[]): Promise<void> {
  await tx.run(sql`
    insert into directory (kind, key, tenant_id)
    select ${kind}, key, ${tx.tenantId}::uuid from unnest(${keys}::text[]) as given(key)
    returning key`)
}

/** Registers identifiers that nobody has, and skips the others. For identifiers that callers choose. */
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

/** The tenants of each node of a cluster, read without asking the nodes. Every tenant has a member. */
export async function listTenantsByNode(tx: SystemTx): Promise<TenantId[][]> {
  const rows = await tx.many(sql<{ tenants: TenantId[] }>`
    select array_agg(d.tenant_id order by d.tenant_id) as tenants
    from (select distinct tenant_id, get_shard_id_for_distribution_column('workspaces', tenant_id) as shard
      from directory where kind = 'membership') d
    join pg_dist_placement p on p.shardid = d.shard
    group by p.groupid`)
  return rows.map((row) => row.tenants)
}
