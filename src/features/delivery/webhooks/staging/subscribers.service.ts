import { cacheOf } from '../../../../platform/caches.ts'
import type { ReadTx } from '../../../../platform/database.ts'
import type { TenantId } from '../../../../platform/ids.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { hasChangedWebhooks } from '../registration/webhook-state.service.ts'
import * as store from './subscribers.store.ts'

export type Subscribers = store.Subscribers
export const { NO_SUBSCRIBERS } = store

// Of tenants with an event lately. Only committed reads enter: a transaction that fails may have seen its own changes.
const KNOWN = cacheOf<TenantId, Subscribers>({ max: 1_000 })

/** Every webhook of the workspace, with the events and surveys that it takes. */
export async function readSubscribers(scope: Scope, tx: ReadTx): Promise<Subscribers> {
  const { tenantId } = tx
  const known = scope.caches.of(KNOWN)
  const isOwnView = hasChangedWebhooks(tx)
  const before = isOwnView ? undefined : known.get(tenantId)
  const now = await store.listSubscribers(tx, before)
  if (now !== before && !isOwnView) {
    tx.afterCommit(() => known.set(tenantId, now))
  }
  return now
}
