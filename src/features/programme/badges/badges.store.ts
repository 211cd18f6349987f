import { type ReadTx, sql, type SystemTx, type TenantTx } from '../../../platform/database/database.ts'
import { findTenant } from '../../../platform/database/directory.ts'
import type { Id, TenantId } from '../../../platform/ids.ts'
import type { PageRequest } from '../../../platform/fields/sorting.ts'
import type { Metric } from '../../../survey-engine/model/definition.ts'

export const DIRECTORY_KIND = 'badge'

export interface BadgeContent {
  name: string
  survey_id: Id<'survey'>
  metric: Metric
  period_days: number
  min_n: number
  label: string
  style: 'flat' | 'card'
  color: string
  enabled: boolean
}

export interface BadgeRow extends BadgeContent {
  id: Id<'badge'>
  token: string
  created_at: Date
  updated_at: Date
}

const COLUMNS = sql.raw<unknown>(
  'id, name, survey_id, metric, period_days, min_n, label, style, color, enabled, token, created_at, updated_at',
)

export function findTenantOfBadge(tx: SystemTx, token: string): Promise<TenantId | null> {
  return findTenant(tx, DIRECTORY_KIND, token)
}

export function insertBadge(tx: TenantTx, row: BadgeRow): Promise<BadgeRow> {
  return tx.one(sql<BadgeRow>`
    insert into badges (tenant_id, id, name, survey_id, metric, period_days, min_n, label, style, color, enabled, token, created_at, updated_at)
    values (${tx.tenantId}, ${row.id}, ${row.name}, ${row.survey_id}, ${row.metric}, ${row.period_days}, ${row.min_n}, ${row.label},
      ${row.style}, ${row.color}, ${row.enabled}, ${row.token}, ${row.created_at}, ${row.updated_at})
    returning ${COLUMNS}`)
}

export function findBadge(tx: ReadTx, id: Id<'badge'>): Promise<BadgeRow | undefined> {
  return tx.maybe(sql<BadgeRow>`select ${COLUMNS} from badges where tenant_id = ${tx.tenantId} and id = ${id}`)
}

export function lockBadge(tx: TenantTx, id: Id<'badge'>): Promise<BadgeRow | undefined> {
  return tx.maybe(
    sql<BadgeRow>`select ${COLUMNS} from badges where tenant_id = ${tx.tenantId} and id = ${id} for update`,
  )
}

export function findByToken(tx: ReadTx, token: string): Promise<BadgeRow | undefined> {
  return tx.maybe(sql<BadgeRow>`
    select ${COLUMNS} from badges where tenant_id = ${tx.tenantId} and token = ${token} and enabled`)
}

export function listExisting(tx: ReadTx, ids: Id<'badge'>[]): Promise<Array<{ id: Id<'badge'> }>> {
  return tx.many(
    sql<{ id: Id<'badge'> }>`select id from badges where tenant_id = ${tx.tenantId} and id = any(${ids}::uuid[])`,
  )
}

export function listBadges(tx: ReadTx, page: PageRequest): Promise<BadgeRow[]> {
  return tx.many(sql<BadgeRow>`
    select ${COLUMNS} from badges
    where tenant_id = ${tx.tenantId} and ${page.before ? sql`id < ${page.before}` : sql`true`}
    order by id desc limit ${page.limit + 1}`)
}

export function updateBadge(tx: TenantTx, id: Id<'badge'>, content: BadgeContent, now: Date): Promise<BadgeRow> {
  return tx.one(sql<BadgeRow>`
    update badges set name = ${content.name}, survey_id = ${content.survey_id}, metric = ${content.metric},
      period_days = ${content.period_days}, min_n = ${content.min_n}, label = ${content.label}, style = ${content.style},
      color = ${content.color}, enabled = ${content.enabled}, updated_at = ${now}
    where tenant_id = ${tx.tenantId} and id = ${id}
    returning ${COLUMNS}`)
}

export function deleteBadge(tx: TenantTx, id: Id<'badge'>): Promise<number> {
  return tx.run(sql`delete from badges where tenant_id = ${tx.tenantId} and id = ${id}`)
}
