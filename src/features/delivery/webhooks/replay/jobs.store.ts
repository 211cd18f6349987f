import { backlogOf, type BacklogRow, type Due } from '../../../../platform/work/due-tenants.ts'
import {
  sql,
  type RawBuilder,
  type ReadTx,
  type SystemTx,
  type TenantTx,
} from '../../../../platform/database/database.ts'
import type { Id } from '../../../../platform/ids.ts'

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

/** Jobs that wait for their next batch. */
export function waitingJobs(kind: JobKind, now: Date): Due {
  return {
    table: 'webhook_jobs',
    isDue: sql`r.kind = ${storedKind(kind)} and r.resends = ${kind === 'resend'} and ${isFree(now)}`,
  }
}

/** Those of one workspace, the oldest first. */
export async function listWaitingJobs(tx: ReadTx, kind: JobKind, now: Date, limit: number): Promise<string[]> {
  const rows = await tx.many(sql<{ id: string }>`
    select r.id from webhook_jobs r
    where r.tenant_id = ${tx.tenantId} and r.kind = ${storedKind(kind)} and r.resends = ${kind === 'resend'} and ${isFree(now)}
    order by r.id limit ${limit}`)
  return rows.map(({ id }) => id)
}

function isFree(now: Date): RawBuilder<unknown> {
  return sql`(r.lease_until is null or r.lease_until <= ${now})`
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
