import { countDue, passBarrier, type SealedCounts, type StepOutcome } from '../../../../platform/work/sealed-counts.ts'
import type { TenantTx } from '../../../../platform/database/database.ts'
import type { Scope, SystemScope } from '../../../../platform/scope.ts'
import type { SweepOptions } from '../../../../platform/work/sweeps.ts'
import * as spans from './ledger-spans.store.ts'

/** Deliveries of a span. A read counts at most two spans one by one: where the filter's period begins and ends. */
export const SPAN = 20_000
// Deliveries that are being staged then rarely come late. The counts are right without it.
const SETTLE_MS = 10_000
const LEDGERS: SealedCounts = { table: 'webhook_ledgers', key: 'tenant_id', pauseMs: 30_000 }
/** Changes of one transaction. */
const BATCH_CHANGES = 5_000

/** Brings the counts of due workspaces up to date. Returns the number of steps. */
export function countDueLedgers(system: SystemScope, options: SweepOptions, spanRows = SPAN): Promise<number> {
  return countDue(system, LEDGERS, options, (scope, tx) => takeStep(scope, tx, spanRows))
}

/**
 * One short transaction: put up the barrier behind the last seal, count the next span once it is clear, seal the
 * deliveries since, then merge the changes. docs/decisions/0010-ledger-counts.md says why this leaves nothing out.
 */
async function takeStep(scope: Scope, tx: TenantTx, spanRows: number): Promise<StepOutcome> {
  const ledger = await spans.lockLedger(tx)
  if (!ledger) return 'done'
  const next = await spans.findNth(tx, { from: ledger.rolled_id, until: ledger.sealed_id, n: spanRows })
  if (next !== null) {
    const passing = await passBarrier(tx, LEDGERS, tx.tenantId, ledger.barrier)
    if (passing === 'waiting') return mergeSome(tx, ledger, 'waiting')
    if (passing === 'clear') {
      await spans.insertSpan(tx, { from: ledger.rolled_id, until: next })
      await spans.updateLedger(tx, { ...ledger, rolled_id: next })
    }
    return 'more'
  }
  const sealed = await spans.findLastBy(tx, ledger.sealed_id, new Date(scope.clock.now().getTime() - SETTLE_MS))
  if (sealed !== null && (await spans.findNth(tx, { from: ledger.rolled_id, until: sealed, n: spanRows })) !== null) {
    await spans.updateLedger(tx, { ...ledger, sealed_id: sealed, barrier: null })
    return 'more'
  }
  return mergeSome(tx, ledger, 'done')
}

async function mergeSome(tx: TenantTx, ledger: spans.LedgerRow, otherwise: 'waiting' | 'done'): Promise<StepOutcome> {
  if ((await spans.mergeChanges(tx, BATCH_CHANGES)) === 0) return otherwise
  await spans.deleteEmptyCounts(tx)
  await spans.deleteEmptySpans(tx, ledger.rolled_id)
  return 'more'
}
