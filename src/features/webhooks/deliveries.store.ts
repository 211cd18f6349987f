import { sql, type RawBuilder, type SystemTx, type TenantTx } from '../../platform/database.ts'
import type { Id, TenantId } from '../../platform/ids.ts'
import type { PageRequest } from '../../platform/page.ts'

export interface DeliveryRow {
  id: Id<'delivery'>
  webhook_id: Id<'webhook'>
  event: string
  event_id: Id<'event'>
  survey_id: Id<'survey'> | null
  status: 'pending' | 'delivered' | 'failed'
  dead_lettered: boolean
  attempts: number
  next_attempt_at: Date | null
  last_status_code: number | null
  last_error: string | null
  last_latency_ms: number | null
  created_at: Date
  delivered_at: Date | null
}

const COLUMNS = sql`d.id, d.webhook_id, d.event, d.event_id, d.survey_id, d.status, d.dead_lettered, d.attempts, d.next_attempt_at,
  d.last_status_code, d.last_error, d.last_latency_ms, d.created_at, d.delivered_at`

export interface NewDelivery {
  id: Id<'delivery'>
  webhookId: Id<'webhook'>
  /** Null while the webhook is disabled. */
  nextAttemptAt: Date | null
}

export interface DeliveredEvent {
  id: Id<'event'>
  type: string
  surveyId: Id<'survey'> | null
}

/** Enqueues rows of one event; those that the ledger holds already are left out of the returned ids. */
export async function insertDeliveries(tx: TenantTx, event: DeliveredEvent, deliveries: NewDelivery[], now: Date, backfillId?: string): Promise<Set<string>> {
  const rows = await tx.prepared<{ id: string }>(
    'insert-deliveries',
    `insert into webhook_deliveries (tenant_id, id, webhook_id, event_id, event, survey_id, status, next_attempt_at, created_at, backfill_id)
     select $1, n.id, n.webhook_id, $2, $3, $4, 'pending', n.next_attempt_at, $5, coalesce($9::uuid, '00000000-0000-0000-0000-000000000000')
     from unnest($6::uuid[], $7::uuid[], $8::timestamptz[]) as n (id, webhook_id, next_attempt_at)
     on conflict (tenant_id, event_id, webhook_id, backfill_id) do nothing
     returning id`,
    [
      tx.tenantId,
      event.id,
      event.type,
      event.surveyId,
      now,
      deliveries.map((delivery) => delivery.id),
      deliveries.map((delivery) => delivery.webhookId),
      deliveries.map((delivery) => delivery.nextAttemptAt),
      backfillId ?? null,
    ],
  )
  return new Set(rows.map((row) => row.id))
}

export interface DeliveryFilter {
  status?: 'pending' | 'delivered' | 'failed' | 'dead_lettered' | undefined
  webhookId?: string | null | undefined
  event?: string | undefined
  surveyId?: string | null | undefined
  since?: Date | undefined
  until?: Date | undefined
}

export function listDeliveries(tx: TenantTx, filter: DeliveryFilter, page: PageRequest): Promise<DeliveryRow[]> {
  return tx.many(sql<DeliveryRow>`
    select ${COLUMNS} from webhook_deliveries d
    where d.tenant_id = ${tx.tenantId} and ${conditions(filter)} and ${page.before ? sql`d.id < ${page.before}` : sql`true`}
    order by d.id desc limit ${page.limit + 1}`)
}

export interface DeliveryCounts {
  pending: number
  delivered: number
  failed: number
  dead_lettered: number
}

/** Counts by state under the other filters; `failed` includes the dead-lettered. */
export function countDeliveries(tx: TenantTx, filter: DeliveryFilter): Promise<DeliveryCounts> {
  return tx.one(sql<DeliveryCounts>`
    select count(*) filter (where d.status = 'pending') as pending, count(*) filter (where d.status = 'delivered') as delivered,
      count(*) filter (where d.status = 'failed') as failed, count(*) filter (where d.dead_lettered) as dead_lettered
    from webhook_deliveries d where d.tenant_id = ${tx.tenantId} and ${conditions({ ...filter, status: undefined })}`)
}

export function findDelivery(tx: TenantTx, id: Id<'delivery'>): Promise<DeliveryRow | undefined> {
  return tx.maybe(sql<DeliveryRow>`select ${COLUMNS} from webhook_deliveries d where d.tenant_id = ${tx.tenantId} and d.id = ${id}`)
}

export interface EventOfDelivery {
  id: Id<'event'>
  type: string
  data: string
  created_at: Date
}

/** The event that a delivery carries; gone once its retention has passed. */
export function findEventOf(tx: TenantTx, id: Id<'delivery'>): Promise<EventOfDelivery | undefined> {
  return tx.maybe(sql<EventOfDelivery>`
    select e.id, e.type, e.data, e.created_at from webhook_deliveries d join events e on e.tenant_id = ${tx.tenantId} and e.id = d.event_id
    where d.tenant_id = ${tx.tenantId} and d.id = ${id}`)
}

export interface AttemptRow {
  n: number
  at: Date
  status_code: number | null
  latency_ms: number | null
  error: string | null
  response_excerpt: string | null
  timestamp: number | null
  signature: string | null
  body_sha256: string
  omitted: string[]
}

export function listAttempts(tx: TenantTx, id: Id<'delivery'>): Promise<AttemptRow[]> {
  return tx.many(sql<AttemptRow>`
    select n, at, status_code, latency_ms, error, response_excerpt, timestamp, signature, body_sha256, omitted
    from webhook_attempts where tenant_id = ${tx.tenantId} and delivery_id = ${id} order by n`)
}

/** Deliveries of one event, newest first: what explain tells about a response. */
export function listDeliveriesOfSource(tx: TenantTx, webhookId: Id<'webhook'>, source: string): Promise<DeliveryRow[]> {
  return tx.many(sql<DeliveryRow>`
    select ${COLUMNS} from webhook_deliveries d join events e on e.tenant_id = ${tx.tenantId} and e.id = d.event_id
    where d.tenant_id = ${tx.tenantId} and d.webhook_id = ${webhookId} and e.source = ${source} order by d.id desc limit 20`)
}

/** Re-queues dead-lettered rows by id; rows in another state are untouched. */
export function requeue(tx: TenantTx, ids: string[], now: Date): Promise<DeliveryRow[]> {
  return tx.many(sql<DeliveryRow>`
    update webhook_deliveries d
    set status = 'pending', dead_lettered = false, attempts = 0, lease_until = null, lease_token = null,
      next_attempt_at = case when w.enabled then ${now}::timestamptz end
    from webhooks w
    where d.tenant_id = ${tx.tenantId} and d.id = any(${ids}::uuid[]) and d.dead_lettered
      and w.tenant_id = ${tx.tenantId} and w.id = d.webhook_id
    returning ${COLUMNS}`)
}

/** Dead-lettered rows whose webhook still exists. */
export async function countReplayable(tx: TenantTx, filter: DeliveryFilter): Promise<number> {
  const row = await tx.one(sql<{ n: number }>`
    select count(*) as n from webhook_deliveries d join webhooks w on w.tenant_id = ${tx.tenantId} and w.id = d.webhook_id
    where d.tenant_id = ${tx.tenantId} and ${conditions({ ...filter, status: 'dead_lettered' })}`)
  return row.n
}

/** The webhooks of some deliveries. */
export function listWebhookIds(tx: TenantTx, ids: string[]): Promise<Array<{ webhook_id: Id<'webhook'> }>> {
  return tx.many(sql<{ webhook_id: Id<'webhook'> }>`
    select distinct webhook_id from webhook_deliveries where tenant_id = ${tx.tenantId} and id = any(${ids}::uuid[])`)
}

export function listDeadLettered(tx: TenantTx, filter: DeliveryFilter, page: { after: string | null; limit: number }): Promise<Array<{ id: string }>> {
  return tx.many(sql<{ id: string }>`
    select d.id from webhook_deliveries d
    where d.tenant_id = ${tx.tenantId} and ${conditions({ ...filter, status: 'dead_lettered' })} and ${page.after ? sql`d.id > ${page.after}` : sql`true`}
    order by d.id limit ${page.limit}`)
}

/** Ends what a deleted webhook left unfinished. */
export function failUnfinished(tx: TenantTx, webhookId: Id<'webhook'>, error: string): Promise<number> {
  return tx.run(sql`
    update webhook_deliveries
    set status = 'failed', dead_lettered = true, next_attempt_at = null, lease_until = null, lease_token = null, last_error = ${error}
    where tenant_id = ${tx.tenantId} and webhook_id = ${webhookId} and status <> 'delivered' and not dead_lettered`)
}

/** Takes a disabled webhook's rows out of the queue; they keep their state, and a request in flight is still recorded. */
export function parkUnfinished(tx: TenantTx, webhookId: Id<'webhook'>): Promise<number> {
  return tx.run(sql`
    update webhook_deliveries set next_attempt_at = null
    where tenant_id = ${tx.tenantId} and webhook_id = ${webhookId} and next_attempt_at is not null`)
}

export function unparkUnfinished(tx: TenantTx, webhookId: Id<'webhook'>, now: Date): Promise<number> {
  return tx.run(sql`
    update webhook_deliveries set next_attempt_at = ${now}
    where tenant_id = ${tx.tenantId} and webhook_id = ${webhookId} and next_attempt_at is null and status <> 'delivered' and not dead_lettered`)
}

export interface DueEndpoint {
  tenant_id: TenantId
  webhook_id: Id<'webhook'>
  next_attempt_at: Date
}

/** Every endpoint with something queued and when its earliest row is due: a loose index scan without locks. */
export function listDueEndpoints(tx: SystemTx): Promise<DueEndpoint[]> {
  return tx.many(sql<DueEndpoint>`
    with recursive endpoint as (
      (select tenant_id, webhook_id, next_attempt_at from webhook_deliveries
       where next_attempt_at is not null order by tenant_id, webhook_id, next_attempt_at limit 1)
      union all
      select n.tenant_id, n.webhook_id, n.next_attempt_at from endpoint p cross join lateral (
        select tenant_id, webhook_id, next_attempt_at from webhook_deliveries d
        where d.next_attempt_at is not null and (d.tenant_id, d.webhook_id) > (p.tenant_id, p.webhook_id)
        order by d.tenant_id, d.webhook_id, d.next_attempt_at limit 1) n)
    select tenant_id, webhook_id, next_attempt_at from endpoint`)
}

export interface QueueDepth {
  depth: number
  oldest_at: Date | null
}

export function readQueueDepth(tx: TenantTx): Promise<QueueDepth> {
  return tx.one(sql<QueueDepth>`
    select count(*) as depth, min(created_at) as oldest_at from webhook_deliveries
    where tenant_id = ${tx.tenantId} and next_attempt_at is not null`)
}

function conditions(filter: DeliveryFilter): RawBuilder<unknown> {
  const all = [sql`true`]
  if (filter.status === 'dead_lettered') all.push(sql`d.status = 'failed' and d.dead_lettered`)
  else if (filter.status !== undefined) all.push(sql`d.status = ${filter.status}`)
  // A reference that is no id of ours matches nothing, like one of another tenant.
  if (filter.webhookId !== undefined) all.push(filter.webhookId === null ? sql`false` : sql`d.webhook_id = ${filter.webhookId}`)
  if (filter.surveyId !== undefined) all.push(filter.surveyId === null ? sql`false` : sql`d.survey_id = ${filter.surveyId}`)
  if (filter.event !== undefined) all.push(sql`d.event = ${filter.event}`)
  if (filter.since !== undefined) all.push(sql`d.created_at >= ${filter.since}`)
  if (filter.until !== undefined) all.push(sql`d.created_at < ${filter.until}`)
  return sql.join(all, sql` and `)
}
