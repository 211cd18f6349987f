import { type ReadTx, sql, type TenantTx } from '../../../platform/database/database.ts'
import type { Id } from '../../../platform/ids.ts'

export interface ShareRow {
  id: Id<'dashboardShare'>
  dashboard_id: Id<'dashboard'>
  token_hash: string
  password_hash: string | null
  expires_at: Date | null
  created_at: Date
}

/** The directory kind of the hashes of share tokens. */
export const DIRECTORY_KIND = 'dashboard_share'

const COLUMNS = sql.raw('id, dashboard_id, token_hash, password_hash, expires_at, created_at')

export function insertShare(tx: TenantTx, row: ShareRow): Promise<number> {
  return tx.run(sql`
    insert into dashboard_shares (tenant_id, ${COLUMNS})
    values (${tx.tenantId}, ${row.id}, ${row.dashboard_id}, ${row.token_hash}, ${row.password_hash}, ${row.expires_at}, ${row.created_at})`)
}

export function findByHash(tx: ReadTx, tokenHash: string): Promise<ShareRow | undefined> {
  return tx.maybe(sql<ShareRow>`
    select ${COLUMNS} from dashboard_shares where tenant_id = ${tx.tenantId} and token_hash = ${tokenHash}`)
}

export function listShares(tx: ReadTx, dashboardIds: Id<'dashboard'>[]): Promise<ShareRow[]> {
  return tx.many(sql<ShareRow>`
    select ${COLUMNS} from dashboard_shares
    where tenant_id = ${tx.tenantId} and dashboard_id = any(${dashboardIds}::uuid[]) order by id`)
}

/** Revokes one share, or all of a dashboard. Returns the hashes of their tokens. */
export async function deleteShares(
  tx: TenantTx,
  dashboardId: Id<'dashboard'>,
  id: Id<'dashboardShare'> | null,
): Promise<string[]> {
  const rows = await tx.many(sql<{ token_hash: string }>`
    delete from dashboard_shares
    where tenant_id = ${tx.tenantId} and dashboard_id = ${dashboardId} and ${id ? sql`id = ${id}` : sql`true`}
    returning token_hash`)
  return rows.map((row) => row.token_hash)
}
