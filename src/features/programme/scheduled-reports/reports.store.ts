import { json, type ReadTx, sql, type TenantTx } from '../../../platform/database/database.ts'
import type { Id } from '../../../platform/ids.ts'
import type { PageRequest } from '../../../platform/fields/sorting.ts'
import type { PausedReason } from '../../../platform/principal.ts'

export interface ReportRow {
  id: Id<'report'>
  name: string
  dashboard_id: Id<'dashboard'>
  schedule: { cron: string; timezone: string } | null
  recipients: Id<'user'>[]
  format: 'html' | 'pdf'
  enabled: boolean
  next_at: Date | null
  /** Its schedule acts as this member or API key. */
  maker: string | null
  paused_reason: PausedReason | null
  created_at: Date
  updated_at: Date
}

const COLUMNS = sql.raw(
  'id, name, dashboard_id, schedule, recipients, format, enabled, next_at, maker, paused_reason, created_at, updated_at',
)

export function insertReport(tx: TenantTx, row: ReportRow): Promise<number> {
  return tx.run(sql`
    insert into reports (tenant_id, ${COLUMNS})
    values (${tx.tenantId}, ${row.id}, ${row.name}, ${row.dashboard_id}, ${row.schedule && json(row.schedule)}, ${row.recipients}::uuid[],
      ${row.format}, ${row.enabled}, ${row.next_at}, ${row.maker}, ${row.paused_reason},
      ${row.created_at}, ${row.updated_at})`)
}

export function updateReport(tx: TenantTx, row: ReportRow): Promise<number> {
  return tx.run(sql`
    update reports set name = ${row.name}, dashboard_id = ${row.dashboard_id}, schedule = ${row.schedule && json(row.schedule)},
      recipients = ${row.recipients}::uuid[], format = ${row.format}, enabled = ${row.enabled}, next_at = ${row.next_at},
      maker = ${row.maker}, paused_reason = ${row.paused_reason}, updated_at = ${row.updated_at}
    where tenant_id = ${tx.tenantId} and id = ${row.id}`)
}

export function deleteReport(tx: TenantTx, id: Id<'report'>): Promise<number> {
  return tx.run(sql`delete from reports where tenant_id = ${tx.tenantId} and id = ${id}`)
}

export function findReport(tx: ReadTx, id: Id<'report'>): Promise<ReportRow | undefined> {
  return tx.maybe(sql<ReportRow>`select ${COLUMNS} from reports where tenant_id = ${tx.tenantId} and id = ${id}`)
}

export function lockReport(tx: TenantTx, id: Id<'report'>): Promise<ReportRow | undefined> {
  return tx.maybe(
    sql<ReportRow>`select ${COLUMNS} from reports where tenant_id = ${tx.tenantId} and id = ${id} for update`,
  )
}

export function listReports(tx: ReadTx, page: PageRequest): Promise<ReportRow[]> {
  return tx.many(sql<ReportRow>`
    select ${COLUMNS} from reports
    where tenant_id = ${tx.tenantId} and ${page.before ? sql`id < ${page.before}` : sql`true`}
    order by id desc limit ${page.limit + 1}`)
}

export function listOfDashboard(tx: ReadTx, id: Id<'dashboard'>): Promise<Array<{ id: Id<'report'>; name: string }>> {
  return tx.many(sql<{ id: Id<'report'>; name: string }>`
    select id, name from reports where tenant_id = ${tx.tenantId} and dashboard_id = ${id} order by id limit 100`)
}

/** Reports whose time has come, locked. Skips those that another worker has. */
export function lockDue(tx: TenantTx, now: Date, limit: number): Promise<ReportRow[]> {
  return tx.many(sql<ReportRow>`
    select ${COLUMNS} from reports
    where tenant_id = ${tx.tenantId} and next_at is not null and next_at <= ${now}
    order by next_at limit ${limit} for update skip locked`)
}

export function updateNext(tx: TenantTx, id: Id<'report'>, nextAt: Date | null): Promise<number> {
  return tx.run(sql`update reports set next_at = ${nextAt} where tenant_id = ${tx.tenantId} and id = ${id}`)
}
