import { randomUUID } from 'node:crypto'
import { sql, type SystemTx } from './database.ts'
import type { Log } from './log.ts'
import type { Settings, SystemScope } from './scope.ts'
import type { SweepMetrics } from './sweep-metrics.ts'

export interface SweepOptions {
  limit: number
  signal: AbortSignal
  /** Prolongs the election, for a run of many steps. False when another process has taken over: stop then. */
  renew(): Promise<boolean>
  /** Puts the next run off, where somebody outside asked to be left alone until then. */
  postpone?(until: Date): void
}

/** Recurring background work. The rows are the jobs; a sweep finds what is due and lost. */
export interface Sweep {
  name: string
  everySeconds: number | ((settings: Settings) => number)
  /** Does at most `limit` units of work; a full batch runs again at once. Returns how many were done. */
  run(system: SystemScope, options: SweepOptions): Promise<number>
}

const LIMIT = 100
const LEASE_MS = 45_000

/** Runs one sweep now if it is due and no other process runs it. Returns whether it ran. */
export async function runIfDue(system: SystemScope, sweep: Sweep, signal: AbortSignal, metrics?: SweepMetrics): Promise<boolean> {
  const token = randomUUID()
  const lease = () => ({ now: system.clock.now(), until: new Date(system.clock.now().getTime() + LEASE_MS) })
  const elected = await system.tx((tx) => elect(tx, sweep.name, token, lease()))
  if (!elected) return false
  const ended = metrics?.start(sweep.name)
  let notBefore = new Date(0)
  const options: SweepOptions = {
    limit: LIMIT,
    signal,
    renew: () => system.tx((tx) => renew(tx, sweep.name, token, lease())),
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
    await system
      .tx((tx) =>
        finish(tx, sweep.name, token, {
          now,
          nextAt: new Date(Math.max(notBefore.getTime(), now.getTime() + secondsBetween(sweep, system.settings) * 1000)),
          lastError,
        }),
      )
      .catch(() => {})
  }
  return true
}

export interface SweepRunner {
  stop(): Promise<void>
}

export interface SweepRuntime {
  run<T>(work: (system: SystemScope) => Promise<T>): Promise<T>
  log: Log
  settings: Settings
}

/** Keeps every sweep on its schedule until stopped. One that fails is logged and tried again next time. */
export function startSweeps(sweeps: Sweep[], { run, log, settings }: SweepRuntime, metrics?: SweepMetrics): SweepRunner {
  const stopping = new AbortController()
  const running = new Set<Promise<unknown>>()
  const failing = new Set<string>()
  const timers = sweeps.map((sweep) => {
    const tick = () => {
      const pass = run((system) => runIfDue(system, sweep, stopping.signal, metrics))
        .then((ran) => {
          if (ran && failing.delete(sweep.name)) log.info({ sweep: sweep.name }, 'a sweep that had failed works again')
        })
        .catch((err) => {
          failing.add(sweep.name)
          log.error({ err, sweep: sweep.name }, 'a sweep failed; it runs again at its next time')
        })
        .finally(() => running.delete(pass))
      running.add(pass)
    }
    tick()
    // Asks more often than it runs, so that another process takes over soon after one has died.
    const timer = setInterval(tick, Math.min(secondsBetween(sweep, settings), 15) * 1000)
    timer.unref()
    return timer
  })
  return {
    async stop() {
      stopping.abort()
      for (const timer of timers) clearInterval(timer)
      await Promise.allSettled(running)
    },
  }
}

function secondsBetween({ everySeconds }: Sweep, settings: Settings): number {
  return typeof everySeconds === 'number' ? everySeconds : everySeconds(settings)
}

interface Lease {
  now: Date
  until: Date
}

async function elect(tx: SystemTx, name: string, token: string, lease: Lease): Promise<boolean> {
  await tx.run(sql`insert into sweeps (name, next_at) values (${name}, ${lease.now}) on conflict (name) do nothing`)
  const touched = await tx.run(sql`
    update sweeps set lease_until = ${lease.until}, lease_token = ${token}
    where name = ${name} and next_at <= ${lease.now} and (lease_until is null or lease_until <= ${lease.now})`)
  return touched === 1
}

async function renew(tx: SystemTx, name: string, token: string, lease: Lease): Promise<boolean> {
  return (await tx.run(sql`update sweeps set lease_until = ${lease.until} where name = ${name} and lease_token = ${token}`)) === 1
}

function finish(tx: SystemTx, name: string, token: string, end: { now: Date; nextAt: Date; lastError: string | null }): Promise<number> {
  return tx.run(sql`
    update sweeps set lease_until = null, lease_token = null, next_at = ${end.nextAt}, last_finished_at = ${end.now}, last_error = ${end.lastError}
    where name = ${name} and lease_token = ${token}`)
}
