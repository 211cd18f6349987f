import type { Among } from '../../../../platform/work/across-tenants.ts'
import type { SystemTx } from '../../../../platform/database/database.ts'
import { untilNoneIsDueInSlots, hasDue, listDueTenants, type Places } from '../../../../platform/work/due-tenants.ts'
import {
  claimDue,
  LeaseLost,
  LONGEST_WAIT_MS,
  newLease,
  postpone,
  retryAt,
  type Lease,
} from '../../../../platform/work/leases.ts'
import type { SystemScope } from '../../../../platform/scope.ts'
import type { SweepOptions } from '../../../../platform/work/sweeps.ts'
import { afterErasure, isErasing } from '../../../trust/data-protection/requests.service.ts'
import { buildPart, prefixOf } from './build.service.ts'
import { claimOf, type Claim } from './claims.service.ts'
import { completeRun, deliverRun, failRun } from './deliver.service.ts'
import { errorOf, MakerError, UNFINISHED, type RunStatus } from './run-status.ts'
import * as parts from './parts.store.ts'
import * as store from './runs.store.ts'

// Building keeps this server busy. A delivery waits for a server that a tenant chose, which may hang.
const SLOTS = { building: { all: 4, each: 1 }, delivery: { all: 32, each: 2 } } satisfies Record<store.Lane, Places>

/** Brings due runs on up to their delivery, one of each workspace at a time. Returns how many it worked on. */
export function advanceRuns(system: SystemScope, options: SweepOptions): Promise<number> {
  return workIn('building', system, options)
}

/** Copies due runs to the servers of their workspaces, two of each at a time. Returns how many it worked on. */
export function deliverRuns(system: SystemScope, options: SweepOptions): Promise<number> {
  return workIn('delivery', system, options)
}

export function hasDueRuns(tx: SystemTx, now: Date, among: Among): Promise<boolean> {
  return hasDue(tx, among, store.dueIn('building', now))
}

export function hasDueDeliveries(tx: SystemTx, now: Date, among: Among): Promise<boolean> {
  return hasDue(tx, among, store.dueIn('delivery', now))
}

function workIn(lane: store.Lane, system: SystemScope, options: SweepOptions): Promise<number> {
  return untilNoneIsDueInSlots(
    options,
    SLOTS[lane],
    (after) => listDueTenants(system, store.dueIn(lane, system.clock.now()), after),
    async (tenantId) => {
      const scope = system.tenant(tenantId, { type: 'system' })
      const now = scope.clock.now()
      const lease = newLease(now)
      const only = store.isIn(lane)
      const [row] = await scope.tx((tx) => claimDue<store.RunRow>(tx, store.JOBS, { now, lease, only }))
      if (!row) return 0
      await advanceOne(claimOf(scope, options, row, lease), lease)
      return 1
    },
  )
}

async function advanceOne(run: Claim, lease: Lease): Promise<void> {
  const { row } = run
  try {
    if (row.status === 'queued') {
      if (await isErasing(run.scope)) return await waitForErasure(run, lease)
      await run.enter('building')
    }
    if (row.status === 'building') {
      await build(run)
      await run.enter('manifesting')
    }
    if (row.status === 'manifesting') {
      await removeStrays(run)
      if (row.destination === 's3') return await run.leave('delivering')
      await run.enter('delivering')
    }
    if (row.status === 'delivering') {
      await deliverRun(run)
      return await completeRun(run)
    }
    if (row.status === 'completed') await run.enter('expired')
    if (row.status === 'expired') await run.enter('cleaning')
    await cleanRun(run)
  } catch (error) {
    if (error instanceof LeaseLost) return
    await retry(run, lease, error)
  }
}

/** Parts without a row, one after another. */
async function build(run: Claim): Promise<void> {
  const { scope, row } = run
  const known = new Set((await scope.read((tx) => parts.listParts(tx, row.id))).map(({ n }) => n))
  for (let n = 1; n <= row.total_parts; n++) {
    if (known.has(n)) continue
    await run.asMaker()
    const part = await buildPart(scope, row, n, run)
    try {
      await run.step(async (tx) => {
        await parts.insertPart(tx, row.id, part)
        const all = await parts.listParts(tx, row.id)
        row.rows = all.reduce((sum, { rows }) => sum + rows, 0)
        row.parts = all.length
        row.failures = 0
        await store.saveRun(tx, row)
      })
    } catch (error) {
      // Another worker may have listed the store before this file came.
      if (error instanceof LeaseLost) await scope.ports.storage.remove([part.object_key])
      throw error
    }
  }
}

/** Files of workers that died or lost the run. */
async function removeStrays(run: Claim): Promise<void> {
  const { scope, row } = run
  const known = new Set((await scope.read((tx) => parts.listParts(tx, row.id))).map(({ object_key }) => object_key))
  for (;;) {
    await run.alive()
    const listed = await scope.ports.storage.list(prefixOf(scope, row))
    const strays = listed.filter((key) => !known.has(key))
    if (strays.length === 0) return
    await scope.ports.storage.remove(strays)
  }
}

/** An erasure searches the runs that it knows. A run that came after its search is built when it has ended. */
async function waitForErasure({ scope, row }: Claim, lease: Lease): Promise<void> {
  const nextAt = afterErasure(scope, row.created_at)
  await scope.tx((tx) => postpone(tx, store.JOBS, row.id, lease, { failures: row.failures, nextAt }))
}

/** Tries again later, or gives up with a reason that the tenant understands. The store's own words stay in the log. */
async function retry(run: Claim, lease: Lease, error: unknown): Promise<void> {
  const { scope, row } = run
  const failures = row.failures + 1
  const { code, reason } = error as { code?: string; reason?: string }
  scope.log.error(
    { run: row.id, phase: row.status, error: (error as Error).name, code, reason, failures },
    'a step of an export failed',
  )
  const now = scope.clock.now()
  const again = error instanceof MakerError ? null : retryAt(now, failures)
  if (!again && UNFINISHED.includes(row.status)) return failRun(run, errorOf(error))
  const nextAt = again ?? new Date(now.getTime() + LONGEST_WAIT_MS)
  await scope.tx((tx) => postpone(tx, store.JOBS, row.id, lease, { failures, nextAt }))
}

const ENDS: Partial<Record<RunStatus, RunStatus>> = {
  cancelling: 'cancelled',
  failed: 'failed',
  cleaning: 'cleaned',
}

/** Removes the files of a run, and ends it only when the store lists none any more. */
async function cleanRun(run: Claim): Promise<void> {
  const { scope, row } = run
  const { storage } = scope.ports
  for (;;) {
    await run.alive()
    const keys = await storage.list(prefixOf(scope, row))
    if (keys.length === 0) break
    await storage.remove(keys)
  }
  const now = scope.clock.now()
  await run.step(async (tx) => {
    await parts.forgetRows(tx, row.id)
    const status = ENDS[row.status] ?? row.status
    const cleanup = { objects_found: 0, verified_at: now.toISOString() }
    const phase_started_at = status === row.status ? row.phase_started_at : now
    await store.saveRun(tx, { ...row, status, phase_started_at, cleanup, failures: 0 }, null)
  })
}
