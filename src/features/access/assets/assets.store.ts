import { sql, type ReadTx, type SystemTx, type TenantTx } from '../../../platform/database/database.ts'
import { findTenant } from '../../../platform/database/directory.ts'
import { dueBy, type Due } from '../../../platform/work/due-tenants.ts'
import type { Id, TenantId } from '../../../platform/ids.ts'
import type { PageRequest } from '../../../platform/fields/sorting.ts'
import type { PictureType } from './picture.ts'

export const DIRECTORY_KIND = 'asset'

export interface AssetRow {
  id: Id<'asset'>
  hash: string
  type: PictureType
  width: number
  height: number
  bytes: number
  alt: string | null
  created_at: Date
}

const COLUMNS = sql.raw<unknown>('id, hash, type, width, height, bytes, alt, created_at')

export function findTenantOfAsset(tx: SystemTx, hash: string): Promise<TenantId | null> {
  return findTenant(tx, DIRECTORY_KIND, hash)
}

/** A picture that goes at `removeAt`, unless it is kept before. */
export function insertAsset(tx: TenantTx, row: AssetRow, removeAt: Date): Promise<number> {
  return tx.run(sql`
    insert into assets (tenant_id, id, hash, type, width, height, bytes, alt, created_at, remove_at)
    values (${tx.tenantId}, ${row.id}, ${row.hash}, ${row.type}, ${row.width}, ${row.height}, ${row.bytes}, ${row.alt},
      ${row.created_at}, ${removeAt})`)
}

/** Keeps a stored picture. Undefined if it is about to go. @throws a unique violation if its like is kept. */
export function keepAsset(tx: TenantTx, id: Id<'asset'>, now: Date): Promise<AssetRow | undefined> {
  return tx.maybe(sql<AssetRow>`
    update assets set remove_at = null where tenant_id = ${tx.tenantId} and id = ${id} and remove_at > ${now}
    returning ${COLUMNS}`)
}

export function updateAlt(tx: TenantTx, id: Id<'asset'>, alt: string | null): Promise<AssetRow | undefined> {
  return tx.maybe(sql<AssetRow>`
    update assets set alt = coalesce(${alt}, alt)
    where tenant_id = ${tx.tenantId} and id = ${id} and remove_at is null
    returning ${COLUMNS}`)
}

export function countAssets(tx: ReadTx): Promise<{ count: number }> {
  return tx.one(sql<{ count: number }>`
    select count(*)::int as count from assets where tenant_id = ${tx.tenantId} and remove_at is null`)
}

export function findByHash(tx: ReadTx, hash: string): Promise<AssetRow | undefined> {
  return tx.maybe(sql<AssetRow>`
    select ${COLUMNS} from assets where tenant_id = ${tx.tenantId} and hash = ${hash} and remove_at is null`)
}

export function findAsset(tx: ReadTx, id: Id<'asset'>): Promise<AssetRow | undefined> {
  return tx.maybe(sql<AssetRow>`
    select ${COLUMNS} from assets where tenant_id = ${tx.tenantId} and id = ${id} and remove_at is null`)
}

export function lockAsset(tx: TenantTx, id: Id<'asset'>): Promise<AssetRow | undefined> {
  return tx.maybe(sql<AssetRow>`
    select ${COLUMNS} from assets where tenant_id = ${tx.tenantId} and id = ${id} and remove_at is null for update`)
}

export function listAssets(tx: ReadTx, page: PageRequest): Promise<AssetRow[]> {
  return tx.many(sql<AssetRow>`
    select ${COLUMNS} from assets
    where tenant_id = ${tx.tenantId} and remove_at is null and ${page.before ? sql`id < ${page.before}` : sql`true`}
    order by id desc limit ${page.limit + 1}`)
}

export function dropAsset(tx: TenantTx, id: Id<'asset'>, now: Date): Promise<number> {
  return tx.run(sql`update assets set remove_at = ${now} where tenant_id = ${tx.tenantId} and id = ${id}`)
}

export function leaving(now: Date): Due {
  return dueBy('assets', 'remove_at', now)
}

export async function listLeaving(tx: ReadTx, now: Date, limit: number): Promise<Id<'asset'>[]> {
  const rows = await tx.many(sql<{ id: Id<'asset'> }>`
    select id from assets where tenant_id = ${tx.tenantId} and remove_at <= ${now} order by remove_at limit ${limit}`)
  return rows.map(({ id }) => id)
}

export function deleteAssets(tx: TenantTx, ids: Id<'asset'>[]): Promise<number> {
  return tx.run(sql`
    delete from assets where tenant_id = ${tx.tenantId} and id = any(${ids}::uuid[]) and remove_at is not null`)
}
