import { randomUUID } from 'node:crypto'
import { acrossTenants, type Among } from './across-tenants.ts'
import { sql, type SystemTx } from '../database/database.ts'
import type { Log } from '../config/log.ts'
import type { Settings, SystemScope } from '../scope.ts'
import type { SweepMetrics } from './sweep-metrics.ts'

export interface SweepOptions {
  limit: number
  signal: AbortSignal
  /** Extends the lease during a long run. False means that another process has taken over: stop. */
  renew(): Promise<boolean>
  /** Delays the next run, for example because a provider asked for it. */
  postpone?(until: Date): void
}

/** Recurring background work. The rows are the jobs, and a sweep finds those that are due or lost. */
export interface Sweep {
  name: string
  everySeconds: number | ((settings: Settings) => number)
  /** Runs at each look, in a transaction shared by all sweeps. True runs the sweep early. Keep it cheap. */
  isDue?(tx: SystemTx, now: Date, among: Among): Promise<boolean>
  /** Does at most `limit` units and returns how many it did. A full batch runs again at once. */
  run(system: SystemScope, options: SweepOptions): Promise<number>
}

export interface SweepRuntime {
  run<T>(work: (system: SystemScope) => Promise<T>): Promise<T>
  log: Log
  settings: Settings
}

export interface SweepRunner {
  /** Starts looking. The first look comes a second later, after the engines' first work. */
  start(): void
  /** Looks soon, because there may be work. */
  wake(): void
  /** Looks once for due sweeps and starts them. Returns whether more are due. */
  look(): Promise<boolean>
  /** Resolves when no sweep runs. */
  idle(): Promise<void>
  stop(): Promise<void>
}

/** The wake topic that brings the next look forward. */
export const SWEEPS = 'sweeps'

const LIMIT = 100
const LEASE_MS = 45_000
const FIRST_LOOK_MS = 1_000
// Leaves a second of the 5 s within which audit entries are sealed.
const LOOK_MS = 4_000
const SOON_MS = 250
// After a long rest all are due. Starting a few at a time leaves connections to requests.
const BEGIN_AT_MOST = 4

/**
 * Runs sweeps on their schedules, each in one process at a time. A failed sweep is logged and runs again at its next
 * time.
 */
export function createSweepRunner(sweeps: Sweep[], { run, log }: SweepRuntime, metrics?: SweepMetrics): SweepRunner {
  const stopping = new AbortController()
  const running = new Map<Sweep, Promise<unknown>>()
  const failing = new Set<Sweep>()
  /** Those that still run at a woken look, and may have looked for work before the wake. */
  const late = new Set<Sweep>()
  let looking: Promise<unknown> | null = null
  let woken = false
  let failedLooks = 0
  let timer: NodeJS.Timeout | undefined

  async function look(): Promise<boolean> {
    const token = randomUUID()
    const idle = sweeps.filter((sweep) => !running.has(sweep))
    // After a failed look only the times are read, so that one unreadable table does not stop the other sweeps.
    const { elected, more } = await run((system) => electDue(system, idle, token, failedLooks % 2 === 0))
    for (const sweep of elected) {
      const pass = run((system) => runElected(system, sweep, token, stopping.signal, metrics))
        .then(() => failing.delete(sweep) && log.info({ sweep: sweep.name }, 'a sweep that had failed works again'))
        .catch((err) => {
          failing.add(sweep)
          log.error({ err, sweep: sweep.name }, 'a sweep failed; it runs again at its next time')
        })
        .finally(() => {
          running.delete(sweep)
          if (late.delete(sweep)) wake()
        })
      running.set(sweep, pass)
    }
    return more
  }

  function plan(delayMs: number): void {
    clearTimeout(timer)
    if (stopping.signal.aborted) return
    timer = setTimeout(() => {
      if (woken) for (const sweep of running.keys()) late.add(sweep)
      woken = false
      looking = lookAndLog().then((more) => {
        looking = null
        plan(more || woken ? SOON_MS : LOOK_MS)
      })
    }, delayMs)
    timer.unref()
  }

  async function lookAndLog(): Promise<boolean> {
    try {
      const more = await look()
      if (failedLooks > 0) log.info('sweeps are looked for again')
      failedLooks = 0
      return more
    } catch (err) {
      if (failedLooks === 0) log.error({ err }, 'due sweeps cannot be looked for; the next look comes in a few seconds')
      failedLooks += 1
      return false
    }
  }

  function wake(): void {
    if (!woken && !looking) plan(SOON_MS)
    woken = true
  }

  const idle = async () => void (await Promise.allSettled(running.values()))
  return {
    start: () => plan(FIRST_LOOK_MS),
    wake,
    look,
    idle,
    async stop() {
      stopping.abort()
      clearTimeout(timer)
      await looking
      await idle()
    },
  }
}

interface Election {
  elected: Sweep[]
  more: boolean
}

/** In one transaction. While a node of the cluster is away, in one for each of the others. */
async function electDue(system: SystemScope, sweeps: Sweep[], token: string, asks: boolean): Promise<Election> {
  const now = system.clock.now()
  const asked = asks
    ? await acrossTenants(system, async (tx, among) => [await electIn(tx, sweeps, token, now, among)])
    : []
  const elections = asked.length > 0 ? asked : [await system.tx((tx) => electIn(tx, sweeps, token, now, null))]
  return { elected: elections.flatMap(({ elected }) => elected), more: elections.some(({ more }) => more) }
}

/** @param among the tenants that are asked for work before its time. Null asks none. */
async function electIn(
  tx: SystemTx,
  sweeps: Sweep[],
  token: string,
  now: Date,
  among: Among | null,
): Promise<Election> {
  const rows = new Map((await listSweeps(tx)).map((row) => [row.name, row]))
  const missing = sweeps.filter(({ name }) => !rows.has(name))
  if (missing.length > 0) await insertRows(tx, missing, now)
  const nextAt = ({ name }: Sweep) => (rows.get(name)?.next_at ?? now).getTime()
  const isLate = (sweep: Sweep) => nextAt(sweep) <= now.getTime()
  const free = sweeps.filter(({ name }) => (rows.get(name)?.lease_until ?? now) <= now)
  const isDue = await Promise.all(free.map((sweep) => isLate(sweep) || (among && sweep.isDue?.(tx, now, among))))
  const due = free.filter((_, i) => isDue[i])
  const first = due.toSorted((a, b) => nextAt(a) - nextAt(b)).slice(0, BEGIN_AT_MOST)
  const early = first.filter((sweep) => !isLate(sweep))
  const elected = first.length > 0 ? await elect(tx, first, early, token, leaseFrom(now)) : new Set()
  return { elected: first.filter(({ name }) => elected.has(name)), more: due.length > first.length }
}

async function runElected(
  system: SystemScope,
  sweep: Sweep,
  token: string,
  signal: AbortSignal,
  metrics?: SweepMetrics,
): Promise<void> {
  const ended = metrics?.start(sweep.name)
  let notBefore = new Date(0)
  const options: SweepOptions = {
    limit: LIMIT,
    signal,
    renew: () => system.tx((tx) => renew(tx, sweep.name, token, leaseFrom(system.clock.now()))),
    postpone: (until) => void (notBefore = until > notBefore ? until : notBefore),
  }
  let lastError: string | null = null
  let done = 0
  try {
    while (!signal.aborted) {
      const batch = await sweep.run(system, options)
      done += batch
      if (batch < LIMIT || !(await options.renew())) break
    }
  } catch (error) {
    lastError = error instanceof Error ? error.message : String(error)
    throw error
  } finally {
    ended?.(lastError === null ? 'ok' : 'failed', done)
    const now = system.clock.now()
    const nextAt = new Date(
      Math.max(notBefore.getTime(), now.getTime() + secondsBetween(sweep, system.settings) * 1000),
    )
    await system
      .tx((tx) =>
        finish(tx, sweep.name, token, { now, nextAt, notBefore: notBefore > now ? notBefore : null, lastError }),
      )
      .catch(() => {})
  }
}

function secondsBetween({ everySeconds }: Sweep, settings: Settings): number {
  return typeof everySeconds === 'number' ? everySeconds : everySeconds(settings)
}

interface Lease {
  now: Date
  until: Date
}

function leaseFrom(now: Date): Lease {
  return { now, until: new Date(now.getTime() + LEASE_MS) }
}

export interface SweepRow {
  name: string
  next_at: Date
  last_finished_at: Date | null
  last_error: string | null
  lease_until: Date | null
}

export function listSweeps(tx: SystemTx): Promise<SweepRow[]> {
  return tx.many(
    sql<SweepRow>`select name, next_at, last_finished_at, last_error, lease_until from sweeps order by name`,
  )
}

function insertRows(tx: SystemTx, sweeps: Sweep[], now: Date): Promise<number> {
  return tx.run(sql`
    insert into sweeps (name, next_at) select name, ${now} from unnest(${namesOf(sweeps)}::text[]) as name on conflict (name) do nothing`)
}

/** Leases the free ones that are due, and those of `early` before their time. */
async function elect(tx: SystemTx, sweeps: Sweep[], early: Sweep[], token: string, lease: Lease): Promise<Set<string>> {
  const rows = await tx.many(sql<{ name: string }>`
    with free as materialized (
      select name from sweeps
      where name = any(${namesOf(sweeps)}::text[]) and (lease_until is null or lease_until <= ${lease.now})
        and (next_at <= ${lease.now} or name = any(${namesOf(early)}::text[]))
      for update skip locked)
    update sweeps set lease_until = ${lease.until}, lease_token = ${token} where name in (select name from free)
    returning name`)
  return new Set(rows.map(({ name }) => name))
}

async function renew(tx: SystemTx, name: string, token: string, lease: Lease): Promise<boolean> {
  return (
    (await tx.run(
      sql`update sweeps set lease_until = ${lease.until} where name = ${name} and lease_token = ${token}`,
    )) === 1
  )
}

/** Ends the lease. A postponed sweep keeps a lease without an owner, so that nothing brings it forward. */
function finish(
  tx: SystemTx,
  name: string,
  token: string,
  end: { now: Date; nextAt: Date; notBefore: Date | null; lastError: string | null },
): Promise<number> {
  return tx.run(sql`
    update sweeps set lease_until = ${end.notBefore}, lease_token = null, next_at = ${end.nextAt}, last_finished_at = ${end.now}, last_error = ${end.lastError}
    where name = ${name} and lease_token = ${token}`)
}

function namesOf(sweeps: Sweep[]): string[] {
  return sweeps.map(({ name }) => name)
}
