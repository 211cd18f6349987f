import type { ReadTx } from '../../../../platform/database.ts'
import type { TenantId } from '../../../../platform/ids.ts'
import { hasChangedWebhooks } from '../registration/webhook-state.service.ts'
import * as store from './subscribers.store.ts'

export type Subscribers = store.Subscribers
export const { NO_SUBSCRIBERS } = store

const TENANTS_AT_MOST = 1_000
// Of tenants with an event lately. Only committed reads enter: a transaction that fails may have seen its own changes.
const known = new Map<TenantId, Subscribers>()

/** Every webhook of the workspace, with the events and surveys that it takes. */
export async function readSubscribers(tx: ReadTx): Promise<Subscribers> {
  const { tenantId } = tx
  const isOwnView = hasChangedWebhooks(tx)
  const before = isOwnView ? undefined : known.get(tenantId)
  const now = await store.listSubscribers(tx, before)
  if (now !== before && !isOwnView) {
    tx.afterCommit(() => {
      if (known.size >= TENANTS_AT_MOST) known.clear()
      known.set(tenantId, now)
    })
  }
  return now
}
