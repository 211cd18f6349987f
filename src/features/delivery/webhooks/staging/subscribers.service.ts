import { cacheOf } from '../../../../platform/config/caches.ts'
import type { ReadTx } from '../../../../platform/database/database.ts'
import type { TenantId } from '../../../../platform/ids.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { hasChangedWebhooks } from '../registration/webhook-state.service.ts'
import * as store from './subscribers.store.ts'

export type Subscribers = store.Subscribers
export const { NO_SUBSCRIBERS } = store

// Holds tenants with a recent event. Only committed reads enter: a failing transaction may have seen its own changes.
const KNOWN = cacheOf<TenantId, Subscribers>({ max: 1_000 })

// One look serves everybody who asks in a transaction.
const looks = new WeakMap<ReadTx, Promise<Subscribers>>()

/** Every webhook of the workspace, with the events and surveys that it takes. */
export function readSubscribers(scope: Scope, tx: ReadTx): Promise<Subscribers> {
  if (hasChangedWebhooks(tx)) return store.listSubscribers(tx, undefined)
  const look = looks.get(tx) ?? readCommitted(scope, tx)
  looks.set(tx, look)
  return look
}

async function readCommitted(scope: Scope, tx: ReadTx): Promise<Subscribers> {
  const known = scope.caches.of(KNOWN)
  const before = known.get(tx.tenantId)
  const now = await store.listSubscribers(tx, before)
  // The transaction may have changed a webhook meanwhile.
  tx.afterCommit(() => {
    if (now !== before && !hasChangedWebhooks(tx)) known.set(tx.tenantId, now)
  })
  return now
}
