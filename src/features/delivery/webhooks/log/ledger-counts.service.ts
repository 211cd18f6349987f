import { acrossTenants } from '../../../../platform/work/across-tenants.ts'
import type { TenantTx } from '../../../../platform/database/database.ts'
import type { Scope, SystemScope } from '../../../../platform/scope.ts'
import type { SweepOptions } from '../../../../platform/work/sweeps.ts'
import * as spans from './ledger-spans.store.ts'

/** Deliveries of a span. A read counts at most two spans one by one: where the filter's period begins and ends. */
export const SPAN = 20_000
// Deliveries that are being staged then rarely come late. The counts are right without it.
const SETTLE_MS = 10_000
// Between two passes over a workspace.
const NEXT_MS = 30_000
/** Changes of one transaction. */
const BATCH_CHANGES = 5_000
/** Transactions of one workspace's turn. */
const TURN = 20

/**
 * Brings the counts of due workspaces up to date, a turn for each, until none has more or `limit` steps are made.
 * Returns how many steps were made.
 */
export async function countDueLedgers(
  system: SystemScope,
  { limit, signal, renew }: SweepOptions,
  spanRows = SPAN,
): Promise<number> {
  let steps = 0
  while (steps < limit) {
    let round = 0
    const tenants = await acrossTenants(system, (tx, among) =>
      spans.listTenantsWithDue(tx, among, system.clock.now(), limit),
    )
    for (const tenantId of tenants) {
      if (signal.aborted || !(await renew())) return 0
      round += await takeTurn(system.tenant(tenantId, { type: 'system' }), spanRows)
    }
    if (round === 0) break
    steps += round
  }
  return steps
}

async function takeTurn(scope: Scope, spanRows: number): Promise<number> {
  for (let steps = 0; steps < TURN; steps++) {
    const outcome = await scope.tx((tx) => takeStep(scope, tx, spanRows))
    if (outcome === 'more') continue
    if (outcome === 'done')
      await scope.tx((tx) => spans.updateNextAt(tx, new Date(scope.clock.now().getTime() + NEXT_MS)))
    return steps
  }
  return TURN
}

/**
 * One short transaction: put up the barrier behind the last seal, count the next span once it is clear, seal the
 * deliveries since, then merge the changes. docs/decisions/0010-ledger-counts.md says why this leaves nothing out.
 */
async function takeStep(scope: Scope, tx: TenantTx, spanRows: number): Promise<'more' | 'waiting' | 'done'> {
  const ledger = await spans.lockLedger(tx)
  if (!ledger) return 'done'
  const next = await spans.findNth(tx, { from: ledger.rolled_id, until: ledger.sealed_id, n: spanRows })
  if (next !== null) {
    const own = await spans.readOwnNumber(tx)
    // After a restore, the barrier may be a number that this cluster has not reached yet.
    if (ledger.barrier === null || ledger.barrier > own) {
      await spans.updateLedger(tx, { ...ledger, barrier: own })
      return 'more'
    }
    if ((await spans.readLowestRunning(tx)) < ledger.barrier) return mergeSome(tx, ledger, 'waiting')
    await spans.insertSpan(tx, { from: ledger.rolled_id, until: next })
    await spans.updateLedger(tx, { ...ledger, rolled_id: next })
    return 'more'
  }
  const sealed = await spans.findLastBy(tx, ledger.sealed_id, new Date(scope.clock.now().getTime() - SETTLE_MS))
  if (sealed !== null && (await spans.findNth(tx, { from: ledger.rolled_id, until: sealed, n: spanRows })) !== null) {
    await spans.updateLedger(tx, { ...ledger, sealed_id: sealed, barrier: null })
    return 'more'
  }
  return mergeSome(tx, ledger, 'done')
}

async function mergeSome(
  tx: TenantTx,
  ledger: spans.LedgerRow,
  otherwise: 'waiting' | 'done',
): Promise<'more' | 'waiting' | 'done'> {
  if ((await spans.mergeChanges(tx, BATCH_CHANGES)) === 0) return otherwise
  await spans.deleteEmptyCounts(tx)
  await spans.deleteEmptySpans(tx, ledger.rolled_id)
  return 'more'
}
