import { acrossTenants } from './across-tenants.ts'
import { audit, type AuditAction, type AuditEntry } from '../audit.ts'
import { sql, type RawBuilder, type TenantTx } from '../database/database.ts'
import { lowestIdAt, type TenantId } from '../ids.ts'
import type { Days, Scope, SystemScope } from '../scope.ts'
import type { Sweep, SweepOptions } from './sweeps.ts'

/** A promise that growing tables stay bounded: `sweep` removes rows past their time. */
export interface Retention {
  tables: string[]
  sweep: Sweep
}

/** Rows in one transaction. Few, so that other transactions wait only milliseconds for their locks. */
const BATCH = 100
const DAY_MS = 86_400_000

/** The shorter of the operator's and the workspace's limits. */
export function shorter(operator: Days, own: Days | undefined): Days {
  if (operator === null || own === null || own === undefined) return operator ?? own ?? null
  return Math.min(operator, own)
}

export interface OldestRow {
  tenant_id: TenantId
  oldest_id: string
}

/** The lowest id of each tenant in a table, without locks: a loose scan of the primary key, or on a cluster a group. */
export function listOldestRows(system: SystemScope, table: string, id = 'id'): Promise<OldestRow[]> {
  const [rows, key] = [sql.table(table), sql.ref(id)]
  return acrossTenants(system, (tx, { cluster, reachable }) =>
    tx.many(
      cluster
        ? sql<OldestRow>`
            select distinct on (tenant_id) tenant_id, ${key} as oldest_id from ${rows}
            where ${reachable} order by tenant_id, ${key}`
        : sql<OldestRow>`
            /* not on a cluster */ with recursive tenant as (
              (select tenant_id, ${key} as oldest_id from ${rows} order by tenant_id, ${key} limit 1)
              union all
              select n.tenant_id, n.oldest_id from tenant t cross join lateral (
                select tenant_id, ${key} as oldest_id from ${rows} r where r.tenant_id > t.tenant_id order by r.tenant_id, r.${key} limit 1) n)
            select tenant_id, oldest_id from tenant`,
    ),
  )
}

/** The rows of one batch: made before `before`, with ids below `below`, in id order from `after`. */
export interface AgeRange {
  before: Date
  below: string
  after: string | null
  limit: number
}

export interface Batch {
  removed: number
  /** The start of the next batch. Null at the end. */
  next: string | null
}

/** The result of a batch that was asked for `limit` rows. After a full batch comes another. */
export function batchOf(ids: string[], limit: number, removed = ids.length): Batch {
  return { removed, next: ids.length < limit ? null : (ids.at(-1) ?? null) }
}

interface Removal {
  /** The audit entry of each workspace that lost rows. Absent for rows that only the server knows of. */
  action?: AuditAction
  oldest: OldestRow[]
  daysOf(tenantId: TenantId): Days
  /** Removes one batch in one transaction. */
  removeBatch(scope: Scope, range: AgeRange): Promise<Batch>
}

/**
 * Removes expired rows by tenant and batch, until it is done, told to stop, or replaced by another process. A failure
 * for one tenant does not stop the others.
 * @returns the number of removed rows.
 * @throws the first failure, at the end.
 */
export async function removeByAge(
  system: SystemScope,
  options: SweepOptions,
  { action, oldest, daysOf, removeBatch }: Removal,
): Promise<number> {
  const now = system.clock.now()
  const failures: unknown[] = []
  let removed = 0
  for (const { tenant_id: tenantId, oldest_id: oldestId } of oldest) {
    const days = daysOf(tenantId)
    if (days === null) continue
    const before = new Date(now.getTime() - days * DAY_MS)
    const below = lowestIdAt(before)
    if (oldestId >= below) continue
    const scope = system.tenant(tenantId, { type: 'system' })
    let [own, goesOn] = [0, true]
    try {
      let after: string | null = null
      do {
        goesOn = !options.signal.aborted && (await options.renew())
        if (!goesOn) break
        const batch: Batch = await removeBatch(scope, { before, below, after, limit: BATCH })
        own += batch.removed
        after = batch.next
      } while (after !== null)
    } catch (error) {
      failures.push(error)
    }
    if (action && own > 0) await scope.tx(async (tx) => audit(scope, tx, removalOf(action, own, before)))
    removed += own
    if (!goesOn) return removed
  }
  if (failures.length > 0) throw failures[0]
  return removed
}

function removalOf(action: AuditAction, removed: number, before: Date): AuditEntry {
  const changes = [
    { path: 'removed', to: removed },
    { path: 'before', to: before.toISOString() },
  ]
  return { action, target: null, changes }
}

/** A table whose rows expire by one of their times, in id order. */
export interface AgedTable {
  table: string
  /** The time column. Rows without a value stay. */
  agedBy: string
  days: Days
  /** A condition on the rows that may go. An index has them apart. */
  only?: RawBuilder<unknown>
  /** Removes what other tables keep of rows, with them. */
  after?(tx: TenantTx, ids: string[]): Promise<void>
}

/** Removes expired rows as `removeByAge` does, and skips locked ones. @returns the number of removed rows. */
export async function removeOldRows(
  system: SystemScope,
  options: SweepOptions,
  { table, agedBy, days, only = sql`true`, after }: AgedTable,
): Promise<number> {
  if (days === null) return 0
  const oldest = await listOldestRows(system, table)
  return removeByAge(system, options, {
    oldest,
    daysOf: () => days,
    removeBatch: (scope, range) =>
      scope.tx(async (tx) => {
        const ids = await deleteOldRows(tx, { table, agedBy, only }, range)
        await after?.(tx, ids)
        return batchOf(ids, range.limit)
      }),
  })
}

/** Deletes a batch of expired rows that nobody has locked. @returns their ids, in order. */
export async function deleteOldRows(
  tx: TenantTx,
  { table, agedBy, only }: Required<Omit<AgedTable, 'days' | 'after'>>,
  range: AgeRange,
): Promise<string[]> {
  const [rows, time] = [sql.table(table), sql.ref(agedBy)]
  const deleted = await tx.many(sql<{ id: string }>`
    with old as materialized (
      select id from ${rows}
      where tenant_id = ${tx.tenantId} and id < ${range.below} and ${range.after ? sql`id > ${range.after}` : sql`true`} and ${time} < ${range.before} and ${only}
      order by id limit ${range.limit} for update skip locked),
    deleted as (
      delete from ${rows} where tenant_id = ${tx.tenantId} and id = any(array(select id from old)) returning id)
    select id from deleted order by id`)
  return deleted.map((row) => row.id)
}
