import type { Jobs } from '../../../platform/work/leases.ts'
import { backlogOf, type BacklogRow } from '../../../platform/work/due-tenants.ts'
import { type ReadTx, sql, type SystemTx, type TenantTx } from '../../../platform/database/database.ts'

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

export function insertEmail(
  tx: TenantTx,
  email: { id: string; kind: string; sealed: string; now: Date },
): Promise<number> {
  return tx.run(sql`
    insert into outgoing_emails (tenant_id, id, kind, sealed, status, attempts, next_attempt_at, created_at)
    values (${tx.tenantId}, ${email.id}, ${email.kind}, ${email.sealed}, 'pending', 0, ${email.now}, ${email.now})`)
}

export const JOBS: Jobs = {
  table: 'outgoing_emails',
  dueAt: 'next_attempt_at',
  columns: sql.raw('id, kind, sealed, attempts'),
}

/** Records an attempt if its lease still holds. A finished row loses its body. */
export function updateAttempted(
  tx: TenantTx,
  id: string,
  leaseToken: string,
  state: EmailState,
  now: Date,
): Promise<number> {
  const finished = state.status !== 'pending'
  return tx.run(sql`
    update outgoing_emails set status = ${state.status}, attempts = ${state.attempts},
      next_attempt_at = ${state.nextAttemptAt}, last_error = ${state.lastError}, lease_token = null,
      sealed = case when ${finished} then null else sealed end, finished_at = ${finished ? now : null}
    where tenant_id = ${tx.tenantId} and id = ${id} and lease_token = ${leaseToken}`)
}

export function selectBacklog(tx: ReadTx): Promise<{ depth: number; oldest_at: Date | null }> {
  return tx.one(sql<{ depth: number; oldest_at: Date | null }>`
    select count(*)::int as depth, min(created_at) as oldest_at from outgoing_emails
    where tenant_id = ${tx.tenantId} and next_attempt_at is not null`)
}

export function listBacklog(tx: SystemTx): Promise<BacklogRow[]> {
  return tx.many(backlogOf('outgoing_emails', sql`next_attempt_at is not null`, sql`next_attempt_at`))
}

interface SealedMail {
  id: string
  kind: string
  sealed: string
  created_at: Date
}

const COLUMNS = sql.raw('id, kind, sealed, created_at')

/** Mail that still has its body, in id order. */
export function listWaiting(tx: ReadTx, after: string | null, limit: number): Promise<SealedMail[]> {
  return tx.many(sql<SealedMail>`
    select ${COLUMNS} from outgoing_emails
    where tenant_id = ${tx.tenantId} and next_attempt_at is not null and sealed is not null
      and ${after ? sql`id > ${after}` : sql`true`}
    order by id limit ${limit}`)
}

export function listMail(tx: ReadTx, ids: string[]): Promise<SealedMail[]> {
  return tx.many(sql<SealedMail>`
    select ${COLUMNS} from outgoing_emails
    where tenant_id = ${tx.tenantId} and id = any(${ids}::uuid[]) and sealed is not null order by id`)
}

/** Ends mail without sending it. A worker that sends it now cannot record that any more. */
export function eraseMail(tx: TenantTx, ids: string[], now: Date): Promise<number> {
  return tx.run(sql`
    update outgoing_emails set sealed = null, status = 'failed', last_error = 'erased', next_attempt_at = null,
      lease_token = null, finished_at = ${now}
    where tenant_id = ${tx.tenantId} and id = any(${ids}::uuid[]) and sealed is not null`)
}
