import type { TenantTx } from '../../../platform/database/database.ts'
import type { Id } from '../../../platform/ids.ts'
import { listOldestRows, batchOf, removeByAge } from '../../../platform/work/retention.ts'
import type { SystemScope } from '../../../platform/scope.ts'
import type { SweepOptions } from '../../../platform/work/sweeps.ts'
import { readDays } from '../../access/workspaces/workspaces.service.ts'
import * as store from './events.store.ts'

/**
 * Removes deliveries of locked events. `carried` are the events that have one left, and `more` asks for another call.
 */
type RemoveDeliveries = (
  tx: TenantTx,
  eventIds: Id<'event'>[],
  before: Date,
) => Promise<{ removed: number; more: boolean; carried: Set<string> }>

/**
 * Removes old events and their deliveries. An event stays while it has a delivery that is unfinished or was finished
 * recently. Returns the number of removed rows of the ledger and events.
 */
export async function removeEvents(
  system: SystemScope,
  options: SweepOptions,
  removeDeliveries: RemoveDeliveries,
): Promise<number> {
  const daysOf = await readDays(system, system.settings.retention.payloadsDays, 'deliveries_days')
  const oldest = await listOldestRows(system, 'events')
  return removeByAge(system, options, {
    action: 'event.expire',
    oldest,
    daysOf,
    removeBatch: (scope, range) =>
      scope.tx(async (tx) => {
        const ids = await store.lockOld(tx, range)
        const { removed, more, carried } = await removeDeliveries(tx, ids, range.before)
        const gone = await store.deleteEvents(
          tx,
          ids.filter((id) => !carried.has(id)),
        )
        const batch = batchOf(ids, range.limit, removed + gone)
        // These events have more deliveries, so the next batch begins with the same events.
        return more ? { ...batch, next: range.after ?? FIRST } : batch
      }),
  })
}

const FIRST = '00000000-0000-0000-0000-000000000000'
