import { setTimeout as pause } from 'node:timers/promises'
import { acrossTenants, type Among } from './across-tenants.ts'
import { sql, type RawBuilder, type SystemTx } from '../database/database.ts'
import type { TenantId } from '../ids.ts'
import type { Clock } from '../loop/clock.ts'
import type { SystemScope } from '../scope.ts'
import type { SweepOptions } from './sweeps.ts'

const PAGE = 100
const RENEW_MS = 10_000
const LOOK_AGAIN_MS = 250

/** Others wait about so long for the turn of one workspace. */
export const TURN_MS = 1_000

export interface Places {
  /** Works at once. */
  all: number
  /** Works of one asker at once. */
  each: number
}

/** Rows that are due: a table, and the condition that makes a row of `r` due. */
export interface Due {
  table: string
  isDue: RawBuilder<unknown>
}

/**
 * Rows with a due time in a column. The planner uses some indexes only with a lower bound
 * (docs/decisions/0022-one-index-to-choose.md).
 */
export function dueBy(table: string, column: string, now: Date): Due {
  return { table, isDue: sql`${sql.ref(`r.${column}`)} >= '-infinity' and ${sql.ref(`r.${column}`)} <= ${now}` }
}

/** Lists tenants with due rows, after a given tenant. */
export async function listDueTenants(
  system: SystemScope,
  due: Due,
  after: TenantId | null = null,
): Promise<TenantId[]> {
  const tenants = await acrossTenants(system, (tx, among) => selectTenants(tx, among, due, after, PAGE))
  // Tenants of single nodes come one node after another.
  return tenants.sort().slice(0, PAGE)
}

export async function hasDue(tx: SystemTx, among: Among, due: Due): Promise<boolean> {
  return (await selectTenants(tx, among, due, null, 1)).length > 0
}

// Without locks: a loose scan of an index that begins with the tenant, or on a cluster a group on each shard.
async function selectTenants(
  tx: SystemTx,
  { cluster, reachable }: Among,
  { table, isDue }: Due,
  after: TenantId | null,
  limit: number,
): Promise<TenantId[]> {
  const rows = sql.table(table)
  const first = after ? sql`r.tenant_id > ${after}` : sql`true`
  const tenants = await tx.many(
    cluster
      ? sql<{ tenant_id: TenantId }>`
          select r.tenant_id from ${rows} r where ${first} and ${isDue} and ${reachable}
          group by r.tenant_id order by r.tenant_id limit ${limit}`
      : sql<{ tenant_id: TenantId }>`
          /* not on a cluster */ with recursive due as (
            (select r.tenant_id from ${rows} r where ${first} and ${isDue} order by r.tenant_id limit 1)
            union all
            select (select r.tenant_id from ${rows} r where r.tenant_id > due.tenant_id and ${isDue} order by r.tenant_id limit 1)
            from due where due.tenant_id is not null)
          select tenant_id from due where tenant_id is not null limit ${limit}`,
  )
  return tenants.map((row) => row.tenant_id)
}

/**
 * Runs the work once for each tenant that has something due. A failure for one tenant does not stop the others.
 * @returns the sum of the results.
 * @throws the first failure, at the end.
 */
export async function eachDueTenant(
  { signal, renew }: Pick<SweepOptions, 'signal' | 'renew'>,
  list: (after: TenantId | null) => Promise<TenantId[]>,
  work: (tenantId: TenantId) => Promise<number>,
): Promise<number> {
  const failures: unknown[] = []
  let done = 0
  let after: TenantId | null = null
  do {
    const last: TenantId | null = after
    const tenants: TenantId[] = await list(last)
    for (const tenantId of tenants) {
      if (signal.aborted || !(await renew())) break
      try {
        done += await work(tenantId)
      } catch (error) {
        failures.push(error)
      }
    }
    after = tenants.length === PAGE ? (tenants.at(-1) ?? null) : null
  } while (after !== null && !signal.aborted)
  if (failures.length > 0) throw failures[0]
  return done
}

/** Says when a turn of long work has lasted long enough. Then its row is given back due now. */
export function startTurn(clock: Clock, turnMs = TURN_MS): () => boolean {
  const endsMs = clock.now().getTime() + turnMs
  return () => clock.now().getTime() >= endsMs
}

/**
 * The same in rounds, until one finds nothing, for work that a turn does only a part of. Each workspace has a turn in a
 * round, so none waits for all the work of another. `work` must leave what it counts no longer due. A workspace with a
 * failure has no further turn.
 * @param full what a turn does at most. A workspace whose turn did less has no further one, so that rows which come one
 * by one are not worked on one by one: they wait for the next run.
 */
export async function untilNoneIsDue(
  options: Pick<SweepOptions, 'signal' | 'renew'>,
  list: (after: TenantId | null) => Promise<TenantId[]>,
  work: (tenantId: TenantId) => Promise<number>,
  full = 1,
): Promise<number> {
  const failures = new Map<TenantId, unknown>()
  const ended = new Set<TenantId>()
  let done = 0
  let inRound: number
  do {
    inRound = await eachDueTenant(options, list, async (tenantId) => {
      if (failures.has(tenantId) || ended.has(tenantId)) return 0
      try {
        const inTurn = await work(tenantId)
        if (inTurn < full) ended.add(tenantId)
        return inTurn
      } catch (error) {
        failures.set(tenantId, error)
        return 0
      }
    })
    done += inRound
  } while (inRound > 0)
  for (const error of failures.values()) throw error
  return done
}

/**
 * The same for work that waits for a provider: in slots, so that a workspace whose call hangs holds up itself alone.
 * A workspace with nothing left, or with a failure, has no further turn until a round finds it without due rows,
 * because the work of others may go on for long. `isOver` ends it early, after a round.
 */
export async function untilNoneIsDueInSlots(
  { signal, renew }: Pick<SweepOptions, 'signal' | 'renew'>,
  slots: Places,
  list: (after: TenantId | null) => Promise<TenantId[]>,
  work: (tenantId: TenantId) => Promise<number>,
  isOver: (done: number) => boolean = () => false,
): Promise<number> {
  const running = new Map<Promise<void>, TenantId>()
  const ended = new Set<TenantId>()
  const failures: unknown[] = []
  let done = 0
  const start = (tenantId: TenantId) => {
    const turn: Promise<void> = work(tenantId)
      .then((n) => {
        done += n
        // One slot finds nothing while another holds the rows, and may leave some.
        if (n === 0) ended.add(tenantId)
        else ended.delete(tenantId)
      })
      .catch((error: unknown) => {
        failures.push(error)
        ended.add(tenantId)
      })
      .finally(() => running.delete(turn))
    running.set(turn, tenantId)
  }
  const slotsOf = (tenantId: TenantId) => [...running.values()].filter((other) => other === tenantId).length
  let isElected = true
  const goesOn = () => isElected && !signal.aborted
  // Slots may hang for longer than the sweep is this process's.
  const waitForSlot = async () => {
    await Promise.race([...running.keys(), pause(RENEW_MS, undefined, { ref: false })])
    isElected = await renew()
  }
  let after: TenantId | null = null
  let started = 0
  let listed = new Set<TenantId>()
  // At the end of a round, so that each workspace had a turn.
  while (goesOn() && !(after === null && isOver(done))) {
    // The list lacks rows that a slot gave back while it was read.
    const wasIdle = running.size === 0
    const tenants: TenantId[] = await list(after)
    for (const tenantId of tenants) listed.add(tenantId)
    if ((tenants.length > 0 || running.size > 0) && !(await renew())) break
    for (const tenantId of tenants) {
      while (running.size >= slots.all && goesOn()) await waitForSlot()
      if (!goesOn()) break
      if (ended.has(tenantId) || !hasPlace(slots, running.size, slotsOf(tenantId))) continue
      start(tenantId)
      started += 1
    }
    // A list may give its page in another order.
    after = tenants.length === PAGE ? (tenants.toSorted().at(-1) ?? null) : null
    if (after !== null) continue
    for (const tenantId of ended) if (!listed.has(tenantId)) ended.delete(tenantId)
    listed = new Set()
    if (started === 0 && running.size === 0 && wasIdle) break
    // Others may have work by the time that a slow one ends.
    if (started === 0 && running.size > 0)
      await Promise.race([...running.keys(), pause(LOOK_AGAIN_MS, undefined, { ref: false })])
    started = 0
  }
  await Promise.all(running.keys())
  if (failures.length > 0) throw failures[0]
  return done
}

/** The waiting rows of one queue: the tenants that wait longest, and the totals. */
export interface BacklogRow {
  tenant_id: TenantId
  depth: number
  oldest_at: Date
  /** When the earliest row is or becomes due. */
  due_at: Date
  total_depth: number
  total_due_at: Date
}

const MOST_TENANTS = 100

/** Counts the waiting rows of a queue by tenant. Takes 200 ms for a million rows. */
export function backlogOf(
  table: string,
  waits: RawBuilder<unknown>,
  dueAt: RawBuilder<unknown>,
): RawBuilder<BacklogRow> {
  return sql<BacklogRow>`
    select tenant_id, count(*)::int as depth, min(created_at) as oldest_at, min(${dueAt}) as due_at,
      (sum(count(*)) over ())::int as total_depth, min(min(${dueAt})) over () as total_due_at
    from ${sql.table(table)} where ${waits} group by tenant_id order by oldest_at, tenant_id limit ${MOST_TENANTS}`
}

/** The last quarter of the places is for askers who hold none, so that a few with slow works leave room for others. */
export function hasPlace({ all, each }: Places, taken: number, own: number): boolean {
  if (own === 0) return taken < all
  return own < each && taken < all - Math.ceil(all / 4)
}
