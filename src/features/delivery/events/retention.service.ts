import { batchOf, removeByAge } from '../../../platform/retention.ts'
import type { SystemScope } from '../../../platform/scope.ts'
import type { SweepOptions } from '../../../platform/sweeps.ts'
import { removeSettledDeliveries } from '../webhooks/log/retention.service.ts'
import { readDays } from '../../access/workspaces/retention.service.ts'
import * as store from './retention.store.ts'

/**
 * Removes old events with the deliveries that carried them. An event goes once its last delivery has: an
 * unfinished one, or one that was settled a short while ago, keeps it. Returns how many rows of the ledger
 * and events were removed.
 */
export async function removeOldEvents(system: SystemScope, options: SweepOptions): Promise<number> {
  const daysOf = await readDays(system, system.settings.retention.payloadsDays, 'deliveries_days')
  const oldest = await system.tx(store.listOldest)
  return removeByAge(system, options, {
    oldest,
    daysOf,
    removeBatch: (scope, range) =>
      scope.tx(async (tx) => {
        const ids = await store.lockOld(tx, range)
        const { removed, more, carried } = await removeSettledDeliveries(tx, ids, range.before)
        const gone = await store.deleteEvents(
          tx,
          ids.filter((id) => !carried.has(id)),
        )
        const batch = batchOf(ids, range.limit, removed + gone)
        // Many deliveries of these events: the same ones once more, before later ones.
        return more ? { ...batch, next: range.after ?? FIRST } : batch
      }),
  })
}

const FIRST = '00000000-0000-0000-0000-000000000000'
