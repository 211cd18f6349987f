import { type ReadTx, sql, type TenantTx } from '../../../platform/database/database.ts'
import type { Jobs } from '../../../platform/work/leases.ts'
import type { Id } from '../../../platform/ids.ts'
import type { PageRequest } from '../../../platform/fields/sorting.ts'

export interface RunRow {
  id: Id<'reportRun'>
  report_id: Id<'report'>
  scheduled_for: Date | null
  status: 'waiting' | 'running' | 'completed' | 'failed'
  steps_done: number
  recipients: Id<'user'>[]
  format: 'html' | 'pdf'
  error: string | null
  attempts: number
  created_at: Date
  completed_at: Date | null
}

const COLUMNS = sql.raw(
  'id, report_id, scheduled_for, status, steps_done, recipients, format, error, attempts, created_at, completed_at',
)

/** Does nothing if the report already has a run for this time of its schedule. */
export function insertRun(tx: TenantTx, row: RunRow): Promise<number> {
  return tx.run(sql`
    insert into report_runs (tenant_id, ${COLUMNS}, next_at)
    values (${tx.tenantId}, ${row.id}, ${row.report_id}, ${row.scheduled_for}, ${row.status}, ${row.steps_done}, ${row.recipients}::uuid[],
      ${row.format}, ${row.error}, ${row.attempts}, ${row.created_at}, ${row.completed_at}, ${row.created_at})
    on conflict (tenant_id, report_id, scheduled_for) where scheduled_for is not null do nothing`)
}

export function listRuns(tx: ReadTx, reportId: Id<'report'>, page: PageRequest): Promise<RunRow[]> {
  return tx.many(sql<RunRow>`
    select ${COLUMNS} from report_runs
    where tenant_id = ${tx.tenantId} and report_id = ${reportId} and ${page.before ? sql`id < ${page.before}` : sql`true`}
    order by id desc limit ${page.limit + 1}`)
}

export function findRun(
  tx: ReadTx,
  reportId: Id<'report'>,
  id: Id<'reportRun'>,
): Promise<(RunRow & { document: string | null; document_type: string | null }) | undefined> {
  return tx.maybe(sql<RunRow & { document: string | null; document_type: string | null }>`
    select ${COLUMNS}, document, document_type from report_runs
    where tenant_id = ${tx.tenantId} and report_id = ${reportId} and id = ${id}`)
}

/** Leases due runs to one worker. */
export const JOBS: Jobs = { table: 'report_runs', columns: COLUMNS }
/** With a claim. */
export const STARTED = sql`status = 'running', attempts = attempts + 1`

export function storeDocument(
  tx: TenantTx,
  id: Id<'reportRun'>,
  token: string,
  { document, type }: { document: string; type: string },
): Promise<number> {
  return tx.run(sql`
    update report_runs set document = ${document}, document_type = ${type}, steps_done = 1
    where tenant_id = ${tx.tenantId} and id = ${id} and lease_token = ${token}`)
}

export function completeRun(tx: TenantTx, id: Id<'reportRun'>, now: Date): Promise<number> {
  return tx.run(sql`
    update report_runs set status = 'completed', steps_done = 2, next_at = null, lease_token = null, error = null, completed_at = ${now}
    where tenant_id = ${tx.tenantId} and id = ${id}`)
}

/** Lets it begin again, which is no failure. */
export function postponeRun(tx: TenantTx, id: Id<'reportRun'>, token: string, nextAt: Date): Promise<number> {
  return tx.run(sql`
    update report_runs set status = 'waiting', attempts = attempts - 1, next_at = ${nextAt}, lease_token = null
    where tenant_id = ${tx.tenantId} and id = ${id} and lease_token = ${token}`)
}

/** Lets it wait for another attempt, or ends it. */
export function failRun(
  tx: TenantTx,
  id: Id<'reportRun'>,
  token: string,
  { error, nextAt }: { error: string; nextAt: Date | null },
): Promise<number> {
  return tx.run(sql`
    update report_runs set status = ${nextAt ? 'waiting' : 'failed'}, error = ${error}, next_at = ${nextAt}, lease_token = null
    where tenant_id = ${tx.tenantId} and id = ${id} and lease_token = ${token}`)
}

/** @returns the ids of the runs. */
export async function deleteRuns(tx: TenantTx, reportId: Id<'report'>): Promise<string[]> {
  const deleted = await tx.many(sql<{ id: string }>`
    delete from report_runs where tenant_id = ${tx.tenantId} and report_id = ${reportId} returning id`)
  return deleted.map(({ id }) => id)
}

/** Those of these runs that have a document. */
export function listDocumented(tx: ReadTx, ids: string[]): Promise<RunRow[]> {
  return tx.many(sql<RunRow>`
    select ${COLUMNS} from report_runs
    where tenant_id = ${tx.tenantId} and id = any(${ids}::uuid[]) and document is not null order by id`)
}

/** @returns how many had one. */
export function removeDocuments(tx: TenantTx, ids: string[]): Promise<number> {
  return tx.run(sql`
    update report_runs set document = null, document_type = null
    where tenant_id = ${tx.tenantId} and id = any(${ids}::uuid[]) and document is not null`)
}
