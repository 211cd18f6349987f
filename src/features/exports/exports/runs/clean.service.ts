import { prefixOf } from './build.service.ts'
import type { Claimed } from './claimed.service.ts'
import * as parts from './parts.store.ts'
import type { RunStatus } from './run-status.ts'
import * as store from './runs.store.ts'

const ENDS: Partial<Record<RunStatus, RunStatus>> = {
  cancelling: 'cancelled',
  failed: 'failed',
  cleaning: 'cleaned',
}

/** Removes the files of a run, and ends it only when the store lists none any more. */
export async function cleanRun(run: Claimed): Promise<void> {
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
