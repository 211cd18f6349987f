import type { BacklogRow } from '../../../../platform/database/backlog.ts'
import type { ReadTx } from '../../../../platform/database/database.ts'
import type { SystemScope } from '../../../../platform/scope.ts'
import * as store from './waiting.store.ts'

/** Deliveries of this workspace that wait for an attempt; those of disabled webhooks do not. */
export async function countWaitingDeliveries(tx: ReadTx): Promise<{ depth: number; oldestAt: Date | null }> {
  const { depth, oldest_at } = await store.readQueueDepth(tx)
  return { depth, oldestAt: oldest_at }
}

/** Deliveries that wait for an attempt, in all workspaces. */
export function readDeliveryBacklog(system: SystemScope): Promise<BacklogRow[]> {
  return system.tx(store.listDeliveryBacklog)
}
