import type { Scope } from '../../../../platform/scope.ts'
import { failOrphans, parkDisabled } from '../registration/webhook-state.service.ts'
import type { LeasedDelivery } from '../staging/fresh-sender.ts'
import { newLease } from '../staging/lease.ts'
import * as store from './claim.store.ts'

/** A row that a claim leased to this process. */
export interface ClaimedDelivery extends LeasedDelivery {
  /** Whether its endpoint has more rows due. */
  more: boolean
}

/** Leases rows of one tenant to this process: those with `ids`, or whatever is due, each endpoint at most its limit. */
export async function claimDeliveries(
  scope: Scope,
  requests: store.ClaimRequest[],
  ids: string[] | null,
): Promise<ClaimedDelivery[]> {
  const lease = newLease(scope)
  const leaseToken = lease.token
  const rows = await scope.tx(async (tx) => store.claimDeliveries(tx, requests, lease, ids))
  const orphans = new Set(rows.filter((row) => row.url === null).map((row) => row.webhook_id))
  for (const webhookId of orphans) await failOrphans(scope, webhookId)
  const disabled = rows.filter((row) => row.enabled === false)
  if (disabled.length > 0) await park(scope, leaseToken, disabled)
  return rows.filter((row) => row.enabled === true).map((row) => ({ ...row, leaseToken }))
}

/** Gives claimed rows back untouched: no attempt was made. */
export async function releaseClaims(scope: Scope, rows: ClaimedDelivery[]): Promise<void> {
  for (const leaseToken of new Set(rows.map((row) => row.leaseToken))) {
    const ids = rows.filter((row) => row.leaseToken === leaseToken).map((row) => row.id)
    await scope.tx((tx) => store.releaseClaims(tx, leaseToken, ids))
  }
}

// The webhooks are locked first: a request that enables one meanwhile waits, and then finds these rows parked.
async function park(scope: Scope, leaseToken: string, rows: store.ClaimedRow[]): Promise<void> {
  const webhookIds = rows.map((row) => row.webhook_id)
  const ids = rows.map((row) => row.id)
  await scope.tx(async (tx) => {
    await parkDisabled(tx, webhookIds)
    await store.releaseClaims(tx, leaseToken, ids)
  })
}
