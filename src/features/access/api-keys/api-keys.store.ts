import { type ReadTx, sql, type TenantTx } from '../../../platform/database/database.ts'
import type { Id } from '../../../platform/ids.ts'
import type { PageRequest } from '../../../platform/fields/sorting.ts'
import type { Permission } from '../../../platform/permissions.ts'

export interface ApiKeyRow {
  id: Id<'apiKey'>
  name: string
  last_four: string
  key_hash: string
  permissions: Permission[]
  created_by_type: 'user' | 'api_key'
  created_by_id: string
  maker_id: Id<'user'>
  /** The permissions of the maker's role right now. Null if the maker is not a member any more. */
  maker_permissions: Permission[] | null
  created_at: Date
  expires_at: Date | null
  last_used_at: Date | null
}

export type NewKey = Omit<ApiKeyRow, 'last_used_at' | 'maker_permissions'>

const COLUMNS = sql`k.id, k.name, k.last_four, k.key_hash, k.permissions, k.created_by_type, k.created_by_id,
  k.maker_id, r.permissions as maker_permissions, k.created_at, k.expires_at, k.last_used_at`

/** The data that a request with an API key needs. */
export interface KeyInUseRow {
  id: Id<'apiKey'>
  permissions: Permission[]
  maker_id: Id<'user'>
  maker_permissions: Permission[]
  last_used_at: Date | null
  ip_allowlist: string[]
}

const FIND = `
  select k.id, k.permissions, m.user_id as maker_id, r.permissions as maker_permissions, k.last_used_at, w.ip_allowlist
  from api_keys k
  cross join lateral (select user_id, role_id from memberships where tenant_id = $1 and user_id = k.maker_id offset 0) m
  cross join lateral (select permissions from roles where tenant_id = $1 and id = m.role_id offset 0) r
  cross join lateral (select ip_allowlist from workspaces where tenant_id = $1 offset 0) w
  where k.tenant_id = $1 and k.key_hash = $2 and (k.expires_at is null or k.expires_at > $3)`

export async function findKeyInUse(tx: ReadTx, keyHash: string, now: Date): Promise<KeyInUseRow | undefined> {
  const [row] = await tx.prepared<KeyInUseRow>({
    name: 'find_api_key',
    text: FIND,
    values: [tx.tenantId, keyHash, now],
  })
  return row
}

export function touchKey(tx: TenantTx, id: Id<'apiKey'>, now: Date): Promise<number> {
  return tx.run(sql`update api_keys set last_used_at = ${now} where tenant_id = ${tx.tenantId} and id = ${id}`)
}

export function insertKey(tx: TenantTx, key: NewKey): Promise<number> {
  return tx.run(sql`
    insert into api_keys (tenant_id, id, name, last_four, key_hash, permissions, created_by_type, created_by_id, maker_id, created_at, expires_at)
    values (${tx.tenantId}, ${key.id}, ${key.name}, ${key.last_four}, ${key.key_hash}, ${key.permissions}::text[],
      ${key.created_by_type}, ${key.created_by_id}, ${key.maker_id}, ${key.created_at}, ${key.expires_at})`)
}

export function listKeys(tx: ReadTx, page: PageRequest): Promise<ApiKeyRow[]> {
  return tx.many(sql<ApiKeyRow>`
    select ${COLUMNS} from ${keysAndMakers(tx)}
    where k.tenant_id = ${tx.tenantId} and (${page.before}::uuid is null or k.id < ${page.before}::uuid)
    order by k.id desc limit ${page.limit + 1}`)
}

export function listNames(tx: ReadTx, ids: Id<'apiKey'>[]): Promise<Array<{ id: Id<'apiKey'>; name: string }>> {
  return tx.many(sql<{ id: Id<'apiKey'>; name: string }>`
    select id, name from api_keys where tenant_id = ${tx.tenantId} and id = any(${ids}::uuid[])`)
}

export function selectKey(tx: ReadTx, id: Id<'apiKey'>): Promise<ApiKeyRow | undefined> {
  return tx.maybe(
    sql<ApiKeyRow>`select ${COLUMNS} from ${keysAndMakers(tx)} where k.tenant_id = ${tx.tenantId} and k.id = ${id}`,
  )
}

export function lockKey(tx: TenantTx, id: Id<'apiKey'>): Promise<ApiKeyRow | undefined> {
  return tx.maybe(
    sql<ApiKeyRow>`select ${COLUMNS} from ${keysAndMakers(tx)} where k.tenant_id = ${tx.tenantId} and k.id = ${id} for update of k`,
  )
}

export function updateKey(
  tx: TenantTx,
  id: Id<'apiKey'>,
  change: Pick<ApiKeyRow, 'name' | 'permissions' | 'expires_at'>,
): Promise<number> {
  return tx.run(sql`
    update api_keys set name = ${change.name}, permissions = ${change.permissions}::text[], expires_at = ${change.expires_at}
    where tenant_id = ${tx.tenantId} and id = ${id}`)
}

export function updateHash(
  tx: TenantTx,
  id: Id<'apiKey'>,
  change: { keyHash: string; lastFour: string },
): Promise<number> {
  return tx.run(sql`
    update api_keys set key_hash = ${change.keyHash}, last_four = ${change.lastFour}
    where tenant_id = ${tx.tenantId} and id = ${id}`)
}

export function updateMaker(tx: TenantTx, id: Id<'apiKey'>, makerId: Id<'user'>): Promise<number> {
  return tx.run(sql`update api_keys set maker_id = ${makerId} where tenant_id = ${tx.tenantId} and id = ${id}`)
}

/** Deletes a key and returns its hash. */
export function deleteKey(tx: TenantTx, id: Id<'apiKey'>): Promise<{ key_hash: string } | undefined> {
  return tx.maybe(
    sql<{ key_hash: string }>`delete from api_keys where tenant_id = ${tx.tenantId} and id = ${id} returning key_hash`,
  )
}

/** Deletes the keys of a maker and returns their hashes. */
export async function deleteOfMaker(tx: TenantTx, makerId: Id<'user'>): Promise<string[]> {
  const rows = await tx.many(
    sql<{
      key_hash: string
    }>`delete from api_keys where tenant_id = ${tx.tenantId} and maker_id = ${makerId} returning key_hash`,
  )
  return rows.map(({ key_hash }) => key_hash)
}

function keysAndMakers(tx: ReadTx) {
  return sql`api_keys k
    left join memberships m on m.tenant_id = ${tx.tenantId} and m.user_id = k.maker_id
    left join roles r on r.tenant_id = ${tx.tenantId} and r.id = m.role_id`
}
