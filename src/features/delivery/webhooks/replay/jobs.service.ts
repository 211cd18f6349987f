import type { Among } from '../../../../platform/work/across-tenants.ts'
import { hasDue, listDueTenants, untilNoneIsDue } from '../../../../platform/work/due-tenants.ts'
import type { SystemTx, TenantTx } from '../../../../platform/database/database.ts'
import type { Scope, SystemScope } from '../../../../platform/scope.ts'
import { SWEEPS, type SweepOptions } from '../../../../platform/work/sweeps.ts'
import * as store from './jobs.store.ts'

// Other features run these statements as they are.
export { lockJob as lockBackfill } from './jobs.store.ts'

export type NewJob = Omit<store.JobRow, 'cursor'>

/** Stores a job. Its sweep begins within a second and carries it on, a batch at a time, until it ends. */
export async function startJobIn(scope: Scope, tx: TenantTx, kind: store.JobKind, job: NewJob): Promise<void> {
  await store.insertJob(tx, kind, { ...job, now: scope.clock.now() })
  scope.wakeAfter(tx, SWEEPS, { group: '', ids: [] })
}

export function hasWaitingJobs(tx: SystemTx, among: Among, kind: store.JobKind, now: Date): Promise<boolean> {
  return hasDue(tx, among, store.waitingJobs(kind, now))
}

/**
 * Does the next batch of a job. Returns how many rows it looked at, 0 when the job has ended or another worker has it.
 */
type CarryOn = (scope: Scope, id: string) => Promise<number>

// More than a workspace starts between two runs.
const MOST_JOBS = 100

/** Carries jobs on until none is left, a batch for each workspace in turn. */
export function carryOnJobs(
  system: SystemScope,
  options: Pick<SweepOptions, 'signal' | 'renew'>,
  kind: store.JobKind,
  carryOn: CarryOn,
): Promise<number> {
  return untilNoneIsDue(
    options,
    (after) => listDueTenants(system, store.waitingJobs(kind, system.clock.now()), after),
    async (tenantId) => {
      const scope = system.tenant(tenantId, { type: 'system' })
      const waiting = await scope.read((tx) => store.listWaitingJobs(tx, kind, scope.clock.now(), MOST_JOBS))
      for (const id of waiting) if ((await carryOn(scope, id)) > 0) return 1
      return 0
    },
  )
}

export async function advanceBackfill(tx: TenantTx, id: string, cursor: string): Promise<void> {
  await store.advanceJob(tx, id, cursor)
}

export async function endBackfill(tx: TenantTx, id: string): Promise<void> {
  await store.deleteJob(tx, id)
}
