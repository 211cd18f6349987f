import type { TenantTx } from '../../../../platform/database/database.ts'
import type { Id } from '../../../../platform/ids.ts'
import { batchOf, removeByAge } from '../../../../platform/work/retention.ts'
import type { SystemScope } from '../../../../platform/scope.ts'
import type { SweepOptions } from '../../../../platform/work/sweeps.ts'
import { insertRemovals } from './ledger-counts.store.ts'
import * as store from './retention.store.ts'

const AT_ONCE = 500

/**
 * Removes deliveries of some events that were settled before a moment. The caller holds the events locked.
 * `carried` are the events that have a delivery left; `more` says whether another call may remove more.
 */
export async function removeSettledDeliveries(
  tx: TenantTx,
  eventIds: Id<'event'>[],
  before: Date,
): Promise<{ removed: number; more: boolean; carried: Set<string> }> {
  const gone = await store.deleteSettled(tx, eventIds, before, AT_ONCE)
  await insertRemovals(tx, gone)
  return { removed: gone.length, more: gone.length === AT_ONCE, carried: await store.listCarried(tx, eventIds) }
}

/** Removes old attempts of settled deliveries, which keep the count and the last error. Returns how many. */
export async function removeOldAttempts(system: SystemScope, options: SweepOptions): Promise<number> {
  const { attemptsDays } = system.settings.retention
  if (attemptsDays === null) return 0
  const oldest = await store.listOldestAttempts(system)
  return removeByAge(system, options, {
    oldest,
    daysOf: () => attemptsDays,
    removeBatch: (scope, range) =>
      scope.tx(async (tx) => {
        const ids = await store.listAttempted(tx, range)
        return batchOf(ids, range.limit, await store.deleteAttempts(tx, ids, range.before))
      }),
  })
}
