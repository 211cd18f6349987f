import type { TenantTx } from '../../../../platform/database/database.ts'
import { newId, newIdAt, type Id } from '../../../../platform/ids.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { matches } from '../registration/subscription.ts'
import { hasChangedWebhooks, lockDisabled } from '../registration/webhook-state.service.ts'
import { DELIVERIES, wakeForRows } from '../wakes.service.ts'
import { asFreshSender, type FreshSlot, type LeasedDelivery } from './fresh-sender.ts'
import { newLease, outlastsAttempt } from './lease.ts'
import * as store from './staging.store.ts'
import { readSubscribers, type Subscribers } from './subscribers.service.ts'
import type { SubscriberRow } from './subscribers.store.ts'
import { recordChanged } from '../../../../platform/changes/changes.ts'

/** The reason to deliver an event again. An event is delivered once for each id, and once for null. */
export interface Cause {
  id: string | null
  /** It is no event of the workspace. */
  isTest?: boolean
}

/** `enqueued` counts the deliveries that were written. */
export interface Staged {
  enqueued: number
}

/**
 * Writes a delivery for each matching subscriber, with the COMMIT of the caller's transaction. After it, only these
 * rows are attempted at once (docs/specification.md, "Dispatch rule").
 * @returns `enqueued` is known once the transaction has committed.
 */
export async function stageDeliveries(
  scope: Scope,
  tx: TenantTx,
  event: store.StagedEvent,
  subscribers: Subscribers,
): Promise<Staged> {
  const staged = { enqueued: 0 }
  const rows = await newRows(scope, tx, event, subscribers)
  if (rows.length === 0) return staged
  const now = scope.clock.now()
  tx.atCommit(store.insertDeliveries(tx, event, rows, now, null))
  tx.atCommit(store.queueDeliveries(tx, rows, now), {
    rows(written) {
      const inserted = store.leasesOf(written)
      staged.enqueued = inserted.size
      startInserted(scope, tx, event, rows, inserted)
    },
  })
  tx.atCommit(store.insertArrivals(tx, idsOf(rows)))
  return staged
}

/** The same for an event that is already written, without waiting for the COMMIT. */
export function stageDeliveriesNow(
  scope: Scope,
  tx: TenantTx,
  event: store.StagedEvent,
  subscribers: Subscribers,
): Promise<Staged> {
  return stage(scope, tx, event, subscribers, { id: null })
}

/** Stages an event for one webhook, whatever it subscribes to, once for each cause. @returns the id of its delivery. */
export async function stageFor(
  scope: Scope,
  tx: TenantTx,
  event: store.StagedEvent,
  webhookId: Id<'webhook'>,
  cause: Cause,
): Promise<Id<'delivery'> | undefined> {
  const { revision, subscribers } = await readSubscribers(scope, tx)
  const only = subscribers.filter(({ id }) => id === webhookId).map((each) => ({ ...each, events: [], survey_ids: [] }))
  const { ids } = await stage(scope, tx, event, { revision, subscribers: only }, cause)
  return ids[0]
}

/** Stages an event again for one webhook, once for each backfill, unless the webhook is gone or takes it no more. */
export async function stageBackfill(
  scope: Scope,
  tx: TenantTx,
  event: store.StagedEvent,
  webhookId: Id<'webhook'>,
  backfillId: string,
): Promise<Staged> {
  const { revision, subscribers } = await readSubscribers(scope, tx)
  const only = { revision, subscribers: subscribers.filter(({ id }) => id === webhookId) }
  return stage(scope, tx, event, only, { id: backfillId })
}

async function stage(
  scope: Scope,
  tx: TenantTx,
  event: store.StagedEvent,
  subscribers: Subscribers,
  cause: Cause,
): Promise<Staged & { ids: Id<'delivery'>[] }> {
  const rows = await newRows(scope, tx, event, subscribers, cause.isTest)
  if (rows.length === 0) return { enqueued: 0, ids: [] }
  const now = scope.clock.now()
  const insert = tx.prepared(store.insertDeliveries(tx, event, rows, now, cause.id))
  const [, written] = await Promise.all([insert, tx.prepared(store.queueDeliveries(tx, rows, now))])
  const inserted = store.leasesOf(written)
  tx.afterCommit(() => startInserted(scope, tx, event, rows, inserted))
  tx.atCommit(store.insertArrivals(tx, idsOf(rows)))
  return { enqueued: inserted.size, ids: idsOf(rows).filter((id) => inserted.has(id)) }
}

interface NewRow extends store.NewDelivery {
  test: boolean
  subscriber: SubscriberRow
  slot: FreshSlot | null
}

// Where this process delivers and has a slot free, a row is born under a lease and sent as soon as it is committed.
// Should the process die before, the lease runs out and a sweep finds the row.
async function newRows(
  scope: Scope,
  tx: TenantTx,
  event: store.StagedEvent,
  { revision, subscribers }: Subscribers,
  isTest = false,
): Promise<NewRow[]> {
  const matching = subscribers.filter((webhook) => matches(webhook, event))
  const disabled = await stillDisabled(tx, matching)
  const isFresh = event.content !== undefined && !hasChangedWebhooks(tx)
  const sender = isFresh ? asFreshSender(scope.ports.queue.local(DELIVERIES)) : null
  const lease = { ...newLease(scope), revision }
  const rows = matching.map((subscriber) => {
    const parked = disabled.has(subscriber.id)
    const slot = parked ? null : (sender?.hold(tx.tenantId, subscriber.id) ?? null)
    if (slot) tx.afterRollback(slot.cancel)
    const id = event.day ? newIdAt('delivery', event.day) : newId('delivery')
    return { id, webhookId: subscriber.id, parked, lease: slot && lease, subscriber, slot, test: isTest }
  })
  if (!event.day) recordChanged(scope, tx, 'deliveries', 'created', 'delivery', idsOf(rows), event.surveyId)
  return rows
}

// Only the rare disabled webhooks are read again, under a lock: enabling one then waits until these rows are visible.
// The opposite race heals itself, because the engine parks the rows of a disabled webhook that it claims.
async function stillDisabled(tx: TenantTx, subscribers: SubscriberRow[]): Promise<Set<Id<'webhook'>>> {
  const off = subscribers.filter((webhook) => !webhook.enabled).map((webhook) => webhook.id)
  return off.length === 0 ? new Set() : lockDisabled(tx, off)
}

function startInserted(
  scope: Scope,
  tx: TenantTx,
  event: store.StagedEvent,
  rows: NewRow[],
  inserted: store.Inserted,
): void {
  for (const row of rows) {
    const leased = inserted.get(row.id)
    const fresh = leased ? freshRow(scope, event, row) : null
    if (fresh) row.slot?.send(fresh)
    else row.slot?.cancel()
    if (leased === false && !row.parked) wakeForRows(scope, tx, row.webhookId, [row.id])
  }
}

/**
 * The row as a claim would read it. Null where its lease may end before its attempt, after a transaction that waited
 * for long: a sweep brings it then.
 */
function freshRow(
  { clock }: Scope,
  event: store.StagedEvent,
  { id, lease, subscriber, test }: NewRow,
): LeasedDelivery | null {
  if (!lease || !event.content || !outlastsAttempt(lease, clock.now())) return null
  return {
    id,
    leaseToken: lease.token,
    webhook_id: subscriber.id,
    attempts: 0,
    event_id: event.id,
    event: event.type,
    event_created_at: event.content.createdAt,
    data: event.content.data,
    url: subscriber.url,
    secret: subscriber.secret,
    previous_secret: subscriber.previous_secret,
    previous_secret_expires_at: subscriber.previous_secret_expires_at,
    headers: subscriber.headers,
    // Not known here: the statement that records looks whether there is something to note.
    last_delivered_at: null,
    failing_since: null,
    test,
    include_text: subscriber.include_text,
    include_custom_data: subscriber.include_custom_data,
    include_answers: subscriber.include_answers,
  }
}

function idsOf(rows: store.NewDelivery[]): Id<'delivery'>[] {
  return rows.map((row) => row.id)
}
