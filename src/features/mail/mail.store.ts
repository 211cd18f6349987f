import { backlogOf, type BacklogRow } from '../../platform/backlog.ts'
import { sql, type SystemTx, type TenantTx } from '../../platform/database.ts'
import type { TenantId } from '../../platform/ids.ts'

export interface ClaimedEmail {
  id: string
  kind: string
  sealed: string
  attempts: number
}

export interface EmailState {
  status: 'pending' | 'sent' | 'failed'
  attempts: number
  nextAttemptAt: Date | null
  lastError: string | null
}

export function insertEmail(tx: TenantTx, email: { id: string; kind: string; sealed: string; now: Date }): Promise<number> {
  return tx.run(sql`
    insert into outgoing_emails (tenant_id, id, kind, sealed, status, attempts, next_attempt_at, created_at)
    values (${tx.tenantId}, ${email.id}, ${email.kind}, ${email.sealed}, 'pending', 0, ${email.now}, ${email.now})`)
}

/** Tenants with mail that is due: a loose index scan, one step for each tenant. */
export async function listTenantsWithDue(tx: SystemTx, now: Date, limit: number): Promise<TenantId[]> {
  const rows = await tx.many(sql<{ tenant_id: TenantId }>`
    with recursive due as (
      (select tenant_id from outgoing_emails where next_attempt_at <= ${now} order by tenant_id limit 1)
      union all
      select (select e.tenant_id from outgoing_emails e where e.tenant_id > due.tenant_id and e.next_attempt_at <= ${now} order by e.tenant_id limit 1)
      from due where due.tenant_id is not null)
    select tenant_id from due where tenant_id is not null limit ${limit}`)
  return rows.map((row) => row.tenant_id)
}

/**
 * Takes due rows for one worker: nobody else finds them before the lease ends. Materialized, because a
 * plan that ran the subquery once more would take more than the limit.
 */
export function claimDue(tx: TenantTx, claim: { now: Date; leaseUntil: Date; leaseToken: string; limit: number }): Promise<ClaimedEmail[]> {
  return tx.many(sql<ClaimedEmail>`
    with due as materialized (
      select id from outgoing_emails where tenant_id = ${tx.tenantId} and next_attempt_at <= ${claim.now}
      order by next_attempt_at limit ${claim.limit} for update skip locked)
    update outgoing_emails set next_attempt_at = ${claim.leaseUntil}, lease_token = ${claim.leaseToken}
    where tenant_id = ${tx.tenantId} and id in (select id from due)
    returning id, kind, sealed, attempts`)
}

/** Records an attempt, only if its lease still holds; a finished row keeps no body. */
export function updateAttempted(tx: TenantTx, id: string, leaseToken: string, state: EmailState, now: Date): Promise<number> {
  const finished = state.status !== 'pending'
  return tx.run(sql`
    update outgoing_emails set status = ${state.status}, attempts = ${state.attempts}, next_attempt_at = ${state.nextAttemptAt}, last_error = ${state.lastError},
      lease_token = null, sealed = case when ${finished} then null else sealed end, finished_at = ${finished ? now : null}
    where tenant_id = ${tx.tenantId} and id = ${id} and lease_token = ${leaseToken}`)
}

export function selectBacklog(tx: TenantTx): Promise<{ depth: number; oldest_at: Date | null }> {
  return tx.one(sql<{ depth: number; oldest_at: Date | null }>`
    select count(*)::int as depth, min(created_at) as oldest_at from outgoing_emails
    where tenant_id = ${tx.tenantId} and next_attempt_at is not null`)
}

export function listBacklog(tx: SystemTx): Promise<BacklogRow[]> {
  return tx.many(backlogOf('outgoing_emails', sql`next_attempt_at is not null`, sql`next_attempt_at`))
}
