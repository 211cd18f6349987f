import type { TenantTx } from '../../../../platform/database/database.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { extend, holdLease, LeaseLost, type Lease } from '../../../../platform/work/leases.ts'
import { SWEEPS, type SweepOptions } from '../../../../platform/work/sweeps.ts'
import { recordChanged } from '../../../../platform/changes/changes.ts'
import { actAsMaker } from '../../../access/api-keys/makers.service.ts'
import { MakerError, UNFINISHED, type RunStatus } from './run-status.ts'
import * as store from './runs.store.ts'

const RENEW_MS = 10_000

/** A claimed run. Each step is one transaction under the lease. */
export interface Claim {
  scope: Scope
  row: store.RunRow
  signal: AbortSignal
  /** @throws LeaseLost */
  step(work: (tx: TenantTx) => Promise<unknown>): Promise<void>
  /** A step before rows are read or delivered: the maker may still have them. @throws LeaseLost, MakerError */
  asMaker(work?: (tx: TenantTx) => Promise<unknown>): Promise<void>
  /** Keeps the lease during long work, as the maker on the way to the end. @throws LeaseLost, MakerError */
  alive(): Promise<void>
  /** The next phase, with what else changes. */
  enter(status: RunStatus): Promise<void>
  /** The next phase, for which another lane takes the run at once. */
  leave(status: RunStatus): Promise<void>
}

export function claimOf(scope: Scope, options: SweepOptions, row: store.RunRow, lease: Lease): Claim {
  let renewedAt = scope.clock.now().getTime()
  async function change(status: RunStatus, nextAt?: Date): Promise<void> {
    const next = { ...row, status, phase_started_at: scope.clock.now(), failures: 0 }
    await run.step(async (tx) => {
      await store.saveRun(tx, next, nextAt)
      if (nextAt) scope.wakeAfter(tx, SWEEPS, { group: '', ids: [] })
    })
    Object.assign(row, next)
  }
  const run: Claim = {
    scope,
    row,
    signal: options.signal,
    async step(work) {
      if (options.signal.aborted || !(await options.renew())) throw new LeaseLost()
      extend(lease, scope.clock.now())
      await scope.tx(async (tx) => {
        if (!(await holdLease(tx, store.JOBS, row.id, lease))) throw new LeaseLost()
        await work(tx)
        recordChanged(scope, tx, 'exports', 'updated', 'exportRun', [row.id])
      })
      renewedAt = scope.clock.now().getTime()
    },
    asMaker: (work = async () => {}) =>
      run.step(async (tx) => {
        const needed = ['exports.manage' as const, ...row.demands]
        const acting = await actAsMaker(scope, tx, row.maker, () => needed)
        if ('pausedReason' in acting) throw new MakerError(acting.pausedReason)
        await work(tx)
      }),
    async alive() {
      if (options.signal.aborted) throw new LeaseLost()
      if (scope.clock.now().getTime() - renewedAt < RENEW_MS) return
      await (UNFINISHED.includes(row.status) ? run.asMaker() : run.step(async () => {}))
    },
    enter: (status) => change(status),
    leave: (status) => change(status, scope.clock.now()),
  }
  return run
}
