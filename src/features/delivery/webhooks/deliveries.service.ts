import type { z } from 'zod'
import { conflict, notFound } from '../../../http/problem.ts'
import { presentPage, type PageRequest } from '../../../http/pagination.ts'
import type { ReadTx, TenantTx } from '../../../platform/database.ts'
import { formatId, newId, parseId, type Id, type TenantId } from '../../../platform/ids.ts'
import type { Scope } from '../../../platform/scope.ts'
import type { ClaimedRow } from './claims.store.ts'
import { ATTEMPT_TIMEOUT_MS, MAX_ATTEMPTS, matches, renderBody, sha256 } from './delivery.ts'
import type { Delivery, DeliveryDetail, DeliveryList, LedgerQuery } from './deliveries.schema.ts'
import * as store from './deliveries.store.ts'
import { matchesNothing, type DeliveryFilter } from './delivery-filter.ts'
import { asFreshSender, newLease, type FreshSlot } from './fresh-rows.service.ts'
import { SPAN } from './ledger-counts.service.ts'
import * as ledger from './ledger-counts.store.ts'
import { coverOf, looksFor, type LedgerSpan } from './ledger-cover.ts'
import * as queue from './queue.store.ts'
import * as webhooks from './webhooks.store.ts'

/** The wake topic of the delivery engine. */
export const DELIVERIES = 'webhook-deliveries'

export type Subscribers = webhooks.SubscribersAt
export const { NO_SUBSCRIBERS } = webhooks

const TENANTS_AT_MOST = 1_000
// Of tenants that had an event lately. What was read in a transaction that failed may never have been so.
const known = new Map<TenantId, webhooks.SubscribersAt>()

/** Every webhook of the workspace, with what it takes. */
export async function readSubscribers(tx: TenantTx): Promise<Subscribers> {
  const { tenantId } = tx
  const own = webhooks.hasChangedWebhooks(tx)
  const before = own ? undefined : known.get(tenantId)
  const now = await webhooks.listSubscribers(tx, before)
  if (now !== before && !own) {
    tx.afterCommit(() => {
      if (known.size >= TENANTS_AT_MOST) known.clear()
      known.set(tenantId, now)
    })
  }
  return now
}

/**
 * Enqueues one row for each of the subscribers whose events and survey scope match (source specification,
 * "Dispatch rule"), in the caller's transaction; after it, only these rows are attempted at once.
 */
export async function stageDeliveries(scope: Scope, tx: TenantTx, event: queue.DeliveredEvent, subscribers: Subscribers): Promise<{ enqueued: number }> {
  return enqueue(scope, tx, event, subscribers)
}

/** The same with COMMIT, without a round trip of its own. `enqueued` is known once the transaction has committed. */
export async function stageDeliveriesAtCommit(
  scope: Scope,
  tx: TenantTx,
  event: queue.DeliveredEvent,
  subscribers: Subscribers,
): Promise<{ enqueued: number }> {
  const staged = { enqueued: 0 }
  const rows = await newRows(scope, tx, event, subscribers)
  if (rows.length === 0) return staged
  queue.insertDeliveriesAtCommit(tx, event, rows, scope.clock.now(), (inserted) => {
    staged.enqueued = inserted.size
    startInserted(scope, tx, event, rows, inserted)
  })
  ledger.insertArrivals(tx, idsOf(rows))
  return staged
}

/** Enqueues an event again for one webhook, once for each backfill; nothing when the webhook is gone or does not take it by now. */
export async function stageBackfill(
  scope: Scope,
  tx: TenantTx,
  event: queue.DeliveredEvent,
  webhookId: Id<'webhook'>,
  backfillId: string,
): Promise<{ enqueued: number }> {
  const { revision, subscribers } = await readSubscribers(tx)
  return enqueue(scope, tx, event, { revision, subscribers: subscribers.filter(({ id }) => id === webhookId) }, backfillId)
}

async function enqueue(
  scope: Scope,
  tx: TenantTx,
  event: queue.DeliveredEvent,
  subscribers: Subscribers,
  backfillId: string | null = null,
): Promise<{ enqueued: number }> {
  const rows = await newRows(scope, tx, event, subscribers)
  if (rows.length === 0) return { enqueued: 0 }
  const inserted = await queue.insertDeliveries(tx, event, rows, scope.clock.now(), backfillId)
  tx.afterCommit(() => startInserted(scope, tx, event, rows, inserted))
  ledger.insertArrivals(tx, idsOf(rows))
  return { enqueued: inserted.size }
}

interface NewRow extends queue.NewDelivery {
  subscriber: webhooks.SubscriberRow
  slot: FreshSlot | null
}

// Where this process delivers and has a slot free, the row is stored under its lease and sent as soon as it is committed. Should
// the process die before, the lease runs out and a sweep finds the row.
async function newRows(scope: Scope, tx: TenantTx, event: queue.DeliveredEvent, { revision, subscribers }: Subscribers): Promise<NewRow[]> {
  const matching = subscribers.filter((webhook) => matches(webhook, event))
  const disabled = await lockDisabled(tx, matching)
  const sender = event.content && !webhooks.hasChangedWebhooks(tx) ? asFreshSender(scope.ports.queue.local(DELIVERIES)) : null
  const lease = { ...newLease(scope), revision }
  return matching.map((subscriber) => {
    const parked = disabled.has(subscriber.id)
    const slot = parked ? null : (sender?.hold(tx.tenantId, subscriber.id) ?? null)
    if (slot) tx.afterRollback(slot.cancel)
    return { id: newId('delivery'), webhookId: subscriber.id, parked, lease: slot && lease, subscriber, slot }
  })
}

function startInserted(scope: Scope, tx: TenantTx, event: queue.DeliveredEvent, rows: NewRow[], inserted: queue.Inserted): void {
  for (const { id, parked, lease, subscriber, slot } of rows) {
    const leased = inserted.get(id)
    if (leased && slot && lease && event.content && isLongEnough(scope, lease)) {
      slot.send(freshRow(id, event, event.content, subscriber), lease.token)
    } else {
      slot?.cancel()
      if (leased === false && !parked) scope.wakeAfter(tx, DELIVERIES, { group: subscriber.id, ids: [id] })
    }
  }
}

// After a transaction that waited for long, another process might claim the row while it is being sent: a sweep brings it.
function isLongEnough({ clock }: Scope, { until }: { until: Date }): boolean {
  return until.getTime() - clock.now().getTime() > ATTEMPT_TIMEOUT_MS
}

/** What a claim would have read. */
function freshRow(
  id: Id<'delivery'>,
  event: queue.DeliveredEvent,
  { data, createdAt }: { data: string; createdAt: Date },
  subscriber: webhooks.SubscriberRow,
): ClaimedRow {
  const { id: webhook_id, url, secret, include_text, include_custom_data, include_answers } = subscriber
  return {
    id,
    webhook_id,
    more: false,
    attempts: 0,
    event_id: event.id,
    event: event.type,
    event_created_at: createdAt,
    data,
    url,
    secret,
    enabled: true,
    // Not known here: the record looks whether there is something to be noted.
    last_delivered_at: null,
    failing_since: null,
    include_text,
    include_custom_data,
    include_answers,
  }
}

function idsOf(rows: queue.NewDelivery[]): string[] {
  return rows.map((row) => row.id)
}

// Only the rare disabled ones are read again, under a lock: enabling one then waits for these rows to
// be visible. The opposite race heals itself, because the engine parks what it claims for a disabled webhook.
async function lockDisabled(tx: TenantTx, subscribers: webhooks.SubscriberRow[]): Promise<Set<string>> {
  const off = subscribers.filter((webhook) => !webhook.enabled).map((webhook) => webhook.id)
  if (off.length === 0) return new Set()
  return new Set((await webhooks.lockDisabled(tx, off)).map((row) => row.id))
}

/** A page, newest first, and counts by state under the other filters; `failed` includes the dead-lettered. All of one moment. */
export async function listDeliveries(scope: Scope, query: z.output<typeof LedgerQuery>, page: PageRequest): Promise<z.input<typeof DeliveryList>> {
  const filter = filterOf(query)
  if (matchesNothing(filter)) return { data: [], next_cursor: null, counts: { pending: 0, delivered: 0, failed: 0, dead_lettered: 0 } }
  const { rows, met, counted, undelivered, spans } = await scope.read(
    async (tx) => {
      const spans = await ledger.listSpans(tx, filter)
      const { counted, live } = coverOf(spans, filter)
      const [met, undelivered, rows] = await Promise.all([
        store.countWithin(tx, filter, live),
        store.countUndelivered(tx, filter),
        readPage(tx, filter, page, spans),
      ])
      return { rows, met, counted, undelivered, spans }
    },
    { snapshot: true },
  )
  if (spans.length === 0 && met > SPAN) await scope.tx((tx) => ledger.insertLedger(tx, scope.clock.now()))
  const failed = undelivered.retried + undelivered.dead + undelivered.abandoned
  const counts = {
    pending: undelivered.pending,
    delivered: counted + met - undelivered.pending - failed,
    failed,
    dead_lettered: undelivered.dead,
  }
  return { ...presentPage(rows, page.limit, present), counts }
}

async function readPage(tx: ReadTx, filter: DeliveryFilter, page: PageRequest, spans: LedgerSpan[]): Promise<store.DeliveryRow[]> {
  const { status } = filter
  if (status !== undefined && status !== 'delivered') return store.listUndelivered(tx, { ...filter, status }, page)
  const rows: store.DeliveryRow[] = []
  for (const ranges of looksFor(spans, filter, page)) {
    rows.push(...(await store.listWithin(tx, filter, ranges, page.limit + 1 - rows.length)))
    if (rows.length > page.limit) break
  }
  return rows
}

/** A row with its attempts and its body, rendered again: it is the one sent unless `payload_changed`. */
export async function getDelivery(scope: Scope, id: Id<'delivery'>): Promise<z.input<typeof DeliveryDetail>> {
  const found = await scope.read(async (tx) => {
    const row = await store.findDelivery(tx, id)
    if (!row) return null
    return { row, attempts: await store.listAttempts(tx, id), event: await store.findEventOf(tx, id), webhook: await webhooks.findWebhook(tx, row.webhook_id) }
  })
  if (!found) throw notFound('delivery')
  const { row, attempts, event, webhook } = found
  const last = attempts.at(-1)
  const toggles = webhook ?? togglesOf(last)
  const body = event
    ? renderBody({ id: formatId('event', event.id), type: event.type, createdAt: event.created_at.toISOString(), data: event.data }, toggles).body
    : null
  return {
    ...present(row),
    payload: body,
    payload_changed: last !== undefined && (body === null || sha256(body) !== last.body_sha256),
    attempt_log: attempts.map((attempt) => ({ ...attempt, at: attempt.at.toISOString() })),
  }
}

/** Puts a dead-lettered row back in the queue under its own id, and then runs the tenant's pending set. */
export async function replayDelivery(scope: Scope, id: Id<'delivery'>): Promise<z.input<typeof Delivery>> {
  return scope.tx(async (tx) => {
    const row = await store.findDelivery(tx, id)
    if (!row) throw notFound('delivery')
    if (!(await webhooks.lockWebhook(tx, row.webhook_id)))
      throw conflict('webhook_deleted', 'The webhook of this delivery is gone. Register it again and backfill instead.')
    const [requeued] = await store.requeue(tx, [id], scope.clock.now())
    if (!requeued) throw conflict('not_dead_lettered', 'Only a dead-lettered delivery can be replayed; this one is still in the queue or was delivered.')
    scope.wakeAfter(tx, DELIVERIES, { group: '', ids: [] })
    return present(requeued)
  })
}

/** Deliveries of this workspace that wait for an attempt. */
export async function countWaitingDeliveries(tx: ReadTx): Promise<{ depth: number; oldestAt: Date | null }> {
  const { depth, oldest_at } = await queue.readQueueDepth(tx)
  return { depth, oldestAt: oldest_at }
}

/** The latest deliveries of one cause to one webhook. */
export async function listDeliveriesOfSource(scope: Scope, webhookId: Id<'webhook'>, source: string): Promise<Array<z.input<typeof Delivery>>> {
  const rows = await scope.read((tx) => store.listDeliveriesOfSource(tx, webhookId, source))
  return rows.map(present)
}

function filterOf(query: Pick<z.output<typeof LedgerQuery>, 'status' | 'webhook_id' | 'event' | 'survey_id' | 'since' | 'until'>): DeliveryFilter {
  return {
    status: query.status,
    webhookId: query.webhook_id === undefined ? undefined : parseId('webhook', query.webhook_id),
    surveyId: query.survey_id === undefined ? undefined : parseId('survey', query.survey_id),
    event: query.event,
    since: query.since,
    until: query.until,
  }
}

// The webhook is gone: what it last omitted tells how it was set.
function togglesOf(last: store.AttemptRow | undefined) {
  const omitted = last?.omitted ?? ['answers', 'text', 'customData']
  return { include_answers: !omitted.includes('answers'), include_text: !omitted.includes('text'), include_custom_data: !omitted.includes('customData') }
}

function present(row: store.DeliveryRow): z.input<typeof Delivery> {
  return {
    id: formatId('delivery', row.id),
    webhook_id: formatId('webhook', row.webhook_id),
    event: row.event,
    event_id: formatId('event', row.event_id),
    survey_id: row.survey_id && formatId('survey', row.survey_id),
    status: row.status,
    dead_lettered: row.dead_lettered,
    attempts: row.attempts,
    max_attempts: MAX_ATTEMPTS,
    next_attempt_at: row.next_attempt_at?.toISOString() ?? null,
    last_status_code: row.last_status_code,
    last_error: row.last_error,
    last_latency_ms: row.last_latency_ms,
    created_at: row.created_at.toISOString(),
    delivered_at: row.delivered_at?.toISOString() ?? null,
  }
}
