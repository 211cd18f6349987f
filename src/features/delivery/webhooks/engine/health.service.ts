import type { Scope } from '../../../../platform/scope.ts'
import { cacheOf } from '../../../../platform/config/caches.ts'
import type { TenantId } from '../../../../platform/ids.ts'
import type { HealthCount } from './health-tally.ts'
import * as store from './health.store.ts'
import type { ReadTx } from '../../../../platform/database/database.ts'

const KEPT_MS = 8 * 86_400_000

// The last hour that a tenant's counts reached in this process.
const HOURS = cacheOf<TenantId, number>({ max: 10_000 })

/** Adds counts of attempts, and forgets old hours once in each new one. */
export async function recordHealth(scope: Scope, counts: HealthCount[]): Promise<void> {
  const hour = Math.max(...counts.map((count) => count.hour.getTime()))
  const hours = scope.caches.of(HOURS)
  await scope.tx(async (tx) => {
    store.addHealth(tx, counts)
    if (hours.get(scope.tenantId) !== hour) store.deleteHealthBefore(tx, new Date(hour - KEPT_MS))
  })
  hours.set(scope.tenantId, hour)
}

/** Deliveries of this workspace that wait for an attempt; those of disabled webhooks do not. */
export async function countWaitingDeliveries(tx: ReadTx): Promise<{ depth: number; oldestAt: Date | null }> {
  const { depth, oldest_at } = await store.readQueueDepth(tx)
  return { depth, oldestAt: oldest_at }
}
