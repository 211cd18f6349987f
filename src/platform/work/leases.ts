import { randomUUID } from 'node:crypto'
import { sql, type RawBuilder, type TenantTx } from '../database/database.ts'

const LEASE_MS = 60_000
export const MOST_FAILURES = 12
export const LONGEST_WAIT_MS = 15 * 60_000

/** A worker's hold on a row. Another worker may take the row when it ends. */
export interface Lease {
  token: string
  until: Date
}

/** A table whose rows are jobs. */
export interface Jobs {
  table: string
  /** The column with the time at which a row is due, or its lease ends. Default: `next_at`. */
  dueAt?: string
  columns: RawBuilder<unknown>
}

interface Claim {
  now: Date
  lease: Lease
  limit?: number
  only?: RawBuilder<unknown>
  also?: RawBuilder<unknown>
}

/** @param leaseMs longer than the longest step between two calls of `holdLease`. */
export function newLease(now: Date, leaseMs = LEASE_MS): Lease {
  return { token: randomUUID(), until: new Date(now.getTime() + leaseMs) }
}

/** Extends a lease in memory, before `holdLease`. */
export function extend(lease: Lease, now: Date): void {
  lease.until = new Date(now.getTime() + LEASE_MS)
}

/**
 * Claims the due rows that wait longest: no other worker finds them before the lease ends. Materialized, because a plan
 * that ran the subquery twice would take more than the limit.
 * @param only a condition on the rows of this kind of work.
 * @param also further changes, such as `status = 'running'`.
 */
export function claimDue<Row>(
  tx: TenantTx,
  { table, dueAt = 'next_at', columns }: Jobs,
  { now, lease, limit = 1, only = sql`true`, also }: Claim,
): Promise<Row[]> {
  const due = sql.ref(dueAt)
  return tx.many(sql<Row>`
    with due as materialized (
      select id from ${sql.table(table)} where tenant_id = ${tx.tenantId} and ${due} is not null and ${due} <= ${now} and ${only}
      order by ${due} limit ${limit} for update skip locked)
    update ${sql.table(table)} set ${due} = ${lease.until}, lease_token = ${lease.token} ${also ? sql`, ${also}` : sql``}
    where tenant_id = ${tx.tenantId} and id in (select id from due)
    returning ${columns}`)
}

/** Locks a row for one step, and writes the end of its lease. False if the lease was lost. */
export async function holdLease(
  tx: TenantTx,
  { table, dueAt = 'next_at' }: Jobs,
  id: string,
  lease: Lease,
): Promise<boolean> {
  const changed = await tx.run(sql`
    update ${sql.table(table)} set ${sql.ref(dueAt)} = ${lease.until}
    where tenant_id = ${tx.tenantId} and id = ${id} and lease_token = ${lease.token}`)
  return changed === 1
}

/** Gives a claimed row back, to go on at a later time. */
export function postpone(
  tx: TenantTx,
  { table, dueAt = 'next_at' }: Jobs,
  id: string,
  lease: Lease,
  { failures, nextAt }: { failures: number; nextAt: Date },
): Promise<number> {
  return tx.run(sql`
    update ${sql.table(table)} set failures = ${failures}, ${sql.ref(dueAt)} = ${nextAt}, lease_token = null
    where tenant_id = ${tx.tenantId} and id = ${id} and lease_token = ${lease.token}`)
}

/** Gives a row back due now, after a turn that brought it on. */
export function giveBack(
  tx: TenantTx,
  { table, dueAt = 'next_at' }: Jobs,
  id: string,
  lease: Lease,
  now: Date,
): Promise<number> {
  return tx.run(sql`
    update ${sql.table(table)} set ${sql.ref(dueAt)} = ${now}, lease_token = null
    where tenant_id = ${tx.tenantId} and id = ${id} and lease_token = ${lease.token}`)
}

/** When work that failed so often in a row is tried again. Null: not any more. */
export function retryAt(now: Date, failures: number): Date | null {
  if (failures >= MOST_FAILURES) return null
  return new Date(now.getTime() + Math.min(LONGEST_WAIT_MS, 2 ** failures * 1_000))
}

/** Another worker has the row now, or its work was cancelled. */
export class LeaseLost extends Error {
  override name = 'LeaseLost'
}
