import { type ReadTx, sql, type TenantTx } from '../../../../platform/database/database.ts'
import type { Id } from '../../../../platform/ids.ts'
import type { PausedReason } from '../../../../platform/principal.ts'
import type { PageRequest } from '../../../../platform/fields/sorting.ts'

export interface ScheduleRow {
  id: Id<'exportSchedule'>
  template_id: Id<'exportTemplate'>
  cron: string
  timezone: string
  enabled: boolean
  next_run_at: Date | null
  last_run_id: Id<'exportRun'> | null
  /** It acts as this member or API key. */
  maker: string | null
  paused_reason: PausedReason | null
  created_at: Date
  updated_at: Date
}

const COLUMNS = sql.raw(
  'id, template_id, cron, timezone, enabled, next_run_at, last_run_id, maker, paused_reason, created_at, updated_at',
)

export function insertSchedule(tx: TenantTx, row: ScheduleRow): Promise<number> {
  return tx.run(sql`
    insert into export_schedules (tenant_id, ${COLUMNS})
    values (${tx.tenantId}, ${row.id}, ${row.template_id}, ${row.cron}, ${row.timezone}, ${row.enabled}, ${row.next_run_at}, ${row.last_run_id},
      ${row.maker}, ${row.paused_reason}, ${row.created_at}, ${row.updated_at})`)
}

export function updateSchedule(tx: TenantTx, row: ScheduleRow): Promise<number> {
  return tx.run(sql`
    update export_schedules set template_id = ${row.template_id}, cron = ${row.cron}, timezone = ${row.timezone}, enabled = ${row.enabled},
      next_run_at = ${row.next_run_at}, last_run_id = ${row.last_run_id}, maker = ${row.maker},
      paused_reason = ${row.paused_reason}, updated_at = ${row.updated_at}
    where tenant_id = ${tx.tenantId} and id = ${row.id}`)
}

export function deleteSchedule(tx: TenantTx, id: Id<'exportSchedule'>): Promise<number> {
  return tx.run(sql`delete from export_schedules where tenant_id = ${tx.tenantId} and id = ${id}`)
}

export function findSchedule(tx: ReadTx, id: Id<'exportSchedule'>): Promise<ScheduleRow | undefined> {
  return tx.maybe(
    sql<ScheduleRow>`select ${COLUMNS} from export_schedules where tenant_id = ${tx.tenantId} and id = ${id}`,
  )
}

export function lockSchedule(tx: TenantTx, id: Id<'exportSchedule'>): Promise<ScheduleRow | undefined> {
  return tx.maybe(sql<ScheduleRow>`
    select ${COLUMNS} from export_schedules where tenant_id = ${tx.tenantId} and id = ${id} for update`)
}

export function listSchedules(tx: ReadTx, page: PageRequest): Promise<ScheduleRow[]> {
  return tx.many(sql<ScheduleRow>`
    select ${COLUMNS} from export_schedules
    where tenant_id = ${tx.tenantId} and ${page.before ? sql`id < ${page.before}` : sql`true`}
    order by id desc limit ${page.limit + 1}`)
}

/** The due one that waits longest, locked. Skips those that another worker runs. */
export function lockDue(tx: TenantTx, now: Date): Promise<ScheduleRow | undefined> {
  return tx.maybe(sql<ScheduleRow>`
    select ${COLUMNS} from export_schedules
    where tenant_id = ${tx.tenantId} and next_run_at <= ${now} order by next_run_at limit 1 for update skip locked`)
}
