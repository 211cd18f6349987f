import { acrossTenants, type Among } from '../../../../platform/work/across-tenants.ts'
import type { BacklogRow } from '../../../../platform/work/due-tenants.ts'
import type { SystemTx, TenantTx } from '../../../../platform/database/database.ts'
import type { TenantId } from '../../../../platform/ids.ts'
import type { Scope, SystemScope } from '../../../../platform/scope.ts'
import { SWEEPS } from '../../../../platform/work/sweeps.ts'
import * as store from './jobs.store.ts'

// Other features run these statements as they are.
export { lockJob as lockBackfill } from './jobs.store.ts'

export type NewJob = Omit<store.JobRow, 'cursor'>

/** Stores a job. Its sweep begins within a second and carries it on, a batch at a time, until it ends. */
export async function startJobIn(scope: Scope, tx: TenantTx, kind: store.JobKind, job: NewJob): Promise<void> {
  await store.insertJob(tx, kind, { ...job, now: scope.clock.now() })
  scope.wakeAfter(tx, SWEEPS, { group: '', ids: [] })
}

export async function hasWaitingJobs(tx: SystemTx, among: Among, kind: store.JobKind, now: Date): Promise<boolean> {
  return (await store.listWaitingJobs(tx, among, kind, now, 1)).length > 0
}

/** Replays and backfills under way, in all workspaces. */
export function readJobBacklog(system: SystemScope): Promise<BacklogRow[]> {
  return system.tx(store.listJobBacklog)
}

export function listWaitingJobs(
  system: SystemScope,
  kind: store.JobKind,
  limit: number,
): Promise<Array<{ tenant_id: TenantId; id: string }>> {
  return acrossTenants(system, (tx, among) => store.listWaitingJobs(tx, among, kind, system.clock.now(), limit))
}

export async function advanceBackfill(tx: TenantTx, id: string, cursor: string): Promise<void> {
  await store.advanceJob(tx, id, cursor)
}

export async function endBackfill(tx: TenantTx, id: string): Promise<void> {
  await store.deleteJob(tx, id)
}
