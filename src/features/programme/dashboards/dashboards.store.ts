import { json, type ReadTx, sql, type TenantTx } from '../../../platform/database/database.ts'
import type { Filter } from '../../../platform/filter/grammar.ts'
import type { Id } from '../../../platform/ids.ts'
import { listFitting, type Fitting } from '../../../platform/fields/fitting.ts'
import type { PageRequest } from '../../../platform/fields/sorting.ts'
import type { Period, Widget } from './query.ts'

export interface DashboardRow {
  id: Id<'dashboard'>
  name: string
  period: Period
  timezone: string
  filter: Filter
  widgets: Widget[]
  created_at: Date
  updated_at: Date
}

const COLUMNS = sql.raw('id, name, period, timezone, filter, widgets, created_at, updated_at')

/** Does nothing if there is one with this id. */
export function insertDashboard(tx: TenantTx, row: DashboardRow): Promise<number> {
  return tx.run(sql`
    insert into dashboards (tenant_id, ${COLUMNS})
    values (${tx.tenantId}, ${row.id}, ${row.name}, ${json(row.period)}, ${row.timezone}, ${json(row.filter)}, ${json(row.widgets)},
      ${row.created_at}, ${row.updated_at})
    on conflict (tenant_id, id) do nothing`)
}

export function updateDashboard(tx: TenantTx, row: DashboardRow): Promise<number> {
  return tx.run(sql`
    update dashboards set name = ${row.name}, period = ${json(row.period)}, timezone = ${row.timezone}, filter = ${json(row.filter)},
      widgets = ${json(row.widgets)}, updated_at = ${row.updated_at}
    where tenant_id = ${tx.tenantId} and id = ${row.id}`)
}

export function deleteDashboard(tx: TenantTx, id: Id<'dashboard'>): Promise<number> {
  return tx.run(sql`delete from dashboards where tenant_id = ${tx.tenantId} and id = ${id}`)
}

export function findDashboard(tx: ReadTx, id: Id<'dashboard'>): Promise<DashboardRow | undefined> {
  return tx.maybe(sql<DashboardRow>`select ${COLUMNS} from dashboards where tenant_id = ${tx.tenantId} and id = ${id}`)
}

export async function findUpdatedAt(tx: ReadTx, id: Id<'dashboard'>): Promise<Date | undefined> {
  const row = await tx.maybe(
    sql<{ updated_at: Date }>`select updated_at from dashboards where tenant_id = ${tx.tenantId} and id = ${id}`,
  )
  return row?.updated_at
}

export function lockDashboard(tx: TenantTx, id: Id<'dashboard'>): Promise<DashboardRow | undefined> {
  return tx.maybe(
    sql<DashboardRow>`select ${COLUMNS} from dashboards where tenant_id = ${tx.tenantId} and id = ${id} for update`,
  )
}

export function listDashboards(tx: ReadTx, page: PageRequest): Promise<Fitting<DashboardRow>> {
  return listFitting(tx, { table: 'dashboards', columns: COLUMNS }, page)
}

/** Dashboards whose filters name an id. */
export function listNaming(tx: ReadTx, text: string): Promise<Array<{ id: Id<'dashboard'>; name: string }>> {
  return tx.many(sql<{ id: Id<'dashboard'>; name: string }>`
    select id, name from dashboards
    where tenant_id = ${tx.tenantId} and (strpos(filter::text, ${text}) > 0 or strpos(widgets::text, ${text}) > 0)
    order by id limit 100`)
}

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

const SHARE_COLUMNS = sql.raw('id, dashboard_id, token_hash, password_hash, expires_at, created_at')

export function insertShare(tx: TenantTx, row: ShareRow): Promise<number> {
  return tx.run(sql`
    insert into dashboard_shares (tenant_id, ${SHARE_COLUMNS})
    values (${tx.tenantId}, ${row.id}, ${row.dashboard_id}, ${row.token_hash}, ${row.password_hash}, ${row.expires_at}, ${row.created_at})`)
}

export function findByHash(tx: ReadTx, tokenHash: string): Promise<ShareRow | undefined> {
  return tx.maybe(sql<ShareRow>`
    select ${SHARE_COLUMNS} from dashboard_shares where tenant_id = ${tx.tenantId} and token_hash = ${tokenHash}`)
}

export function listShares(tx: ReadTx, dashboardIds: Id<'dashboard'>[]): Promise<ShareRow[]> {
  return tx.many(sql<ShareRow>`
    select ${SHARE_COLUMNS} from dashboard_shares
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
