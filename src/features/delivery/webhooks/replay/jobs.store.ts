import type { Among } from '../../../../platform/work/across-tenants.ts'
import { backlogOf, type BacklogRow } from '../../../../platform/work/due-tenants.ts'
import { sql, type SystemTx, type TenantTx } from '../../../../platform/database/database.ts'
import type { Id, TenantId } from '../../../../platform/ids.ts'

/** A replay or a backfill of many deliveries, and how far it has come. */
export interface JobRow {
  id: string
  webhook_id: Id<'webhook'> | null
  event: string | null
  survey_id: Id<'survey'> | null
  since: Date | null
  until: Date
  cursor: string | null
}

/** A resend is stored as a replay that resends. */
export type JobKind = 'replay' | 'backfill' | 'resend'

export function insertJob(tx: TenantTx, kind: JobKind, job: Omit<JobRow, 'cursor'> & { now: Date }): Promise<number> {
  return tx.run(sql`
    insert into webhook_jobs (tenant_id, id, kind, resends, webhook_id, event, survey_id, since, until, created_at)
    values (${tx.tenantId}, ${job.id}, ${storedKind(kind)}, ${kind === 'resend'}, ${job.webhook_id}, ${job.event}, ${job.survey_id},
      ${job.since}, ${job.until}, ${job.now})`)
}

export function listWaitingJobs(
  tx: SystemTx,
  { reachable }: Among,
  kind: JobKind,
  now: Date,
  limit: number,
): Promise<Array<{ tenant_id: TenantId; id: string }>> {
  return tx.many(sql<{ tenant_id: TenantId; id: string }>`
    select tenant_id, id from webhook_jobs
    where kind = ${storedKind(kind)} and resends = ${kind === 'resend'} and (lease_until is null or lease_until <= ${now}) and ${reachable}
    order by id limit ${limit}`)
}

/** Jobs that have not ended. */
export function listJobBacklog(tx: SystemTx): Promise<BacklogRow[]> {
  return tx.many(backlogOf('webhook_jobs', sql`true`, sql`created_at`))
}

/** The job, locked for one batch. Undefined when another worker has it or it has ended. */
export function lockJob(tx: TenantTx, id: string): Promise<JobRow | undefined> {
  return tx.maybe(sql<JobRow>`
    select id, webhook_id, event, survey_id, since, until, cursor from webhook_jobs
    where tenant_id = ${tx.tenantId} and id = ${id} for update skip locked`)
}

export function advanceJob(tx: TenantTx, id: string, cursor: string): Promise<number> {
  return tx.run(sql`update webhook_jobs set cursor = ${cursor} where tenant_id = ${tx.tenantId} and id = ${id}`)
}

export function deleteJob(tx: TenantTx, id: string): Promise<number> {
  return tx.run(sql`delete from webhook_jobs where tenant_id = ${tx.tenantId} and id = ${id}`)
}

function storedKind(kind: JobKind): 'replay' | 'backfill' {
  return kind === 'resend' ? 'replay' : kind
}
