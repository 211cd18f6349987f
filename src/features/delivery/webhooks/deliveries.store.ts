import { type RawBuilder, type ReadTx, sql, type TenantTx } from '../../../platform/database.ts'
import type { Id } from '../../../platform/ids.ts'
import type { PageRequest } from '../../../platform/page.ts'
import { ANY_ID, matchesNothing, type DeliveryFilter } from './delivery-filter.ts'
import type { IdRange } from './ledger-cover.ts'

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

/** Of `d`, a row of the ledger, and `q`, its job while it has one. */
const COLUMNS = sql`d.id, d.webhook_id, d.event, d.event_id, d.survey_id, d.status, d.dead_lettered, d.attempts, q.next_attempt_at,
  d.last_status_code, d.last_error, d.last_latency_ms, d.created_at, d.delivered_at`

// What a list by tenant says to be offered its index (migration 0018); every row meets it.
const ZERO = sql.raw(`'${ANY_ID}'`)
const LISTED = sql`d.id >= ${ZERO}`
const QUEUE_LISTED = sql`q.delivery_id >= ${ZERO}`

// The job of `d`, one at a time: as a plain join the planner may read the whole queue.
function withJob(tx: ReadTx): RawBuilder<unknown> {
  return sql`left join lateral (select next_attempt_at from webhook_queue where tenant_id = ${tx.tenantId} and delivery_id = d.id offset 0) q on true`
}

/** Of deliveries in any state, or delivered, within some ranges of ids: newest first. */
export function listWithin(tx: ReadTx, filter: DeliveryFilter, ranges: IdRange[], limit: number): Promise<DeliveryRow[]> {
  return tx.many(sql<DeliveryRow>`
    select ${COLUMNS} from ${unnested(ranges)} cross join lateral (
      select d.* from webhook_deliveries d
      where d.tenant_id = ${tx.tenantId} and ${LISTED} and d.id >= r.from_id and d.id < r.until_id and ${conditions(filter)}
      order by d.id desc limit ${limit}) d
    ${withJob(tx)}
    order by d.id desc limit ${limit}`)
}

/** Of what waits, or failed: the jobs and the dead letters have indexes of their own, and are few among millions. Newest first. */
export function listUndelivered(
  tx: ReadTx,
  filter: DeliveryFilter & { status: 'pending' | 'failed' | 'dead_lettered' },
  page: PageRequest,
): Promise<DeliveryRow[]> {
  const limit = page.limit + 1
  const others = conditions({ ...filter, status: undefined })
  const ofWebhook = filter.webhookId ? sql`q.webhook_id = ${filter.webhookId}` : sql`true`
  const waiting = (which: RawBuilder<unknown>) => sql`
    (select d.id from webhook_queue q cross join lateral (
      select d.id from webhook_deliveries d where d.tenant_id = ${tx.tenantId} and d.id = q.delivery_id and ${others} offset 0) d
    where q.tenant_id = ${tx.tenantId} and ${QUEUE_LISTED} and ${ofWebhook} and ${which} and ${page.before ? sql`q.delivery_id < ${page.before}` : sql`true`}
    order by q.delivery_id desc limit ${limit})`
  const some = (which: RawBuilder<unknown>) => sql`
    (select d.id from ${LEDGER}
    where d.tenant_id = ${tx.tenantId} and ${which} and ${others} and ${page.before ? sql`d.id < ${page.before}` : sql`true`}
    order by d.id desc limit ${limit})`
  const parts = {
    pending: [waiting(sql`q.attempts = 0`)],
    retried: [waiting(sql`q.attempts > 0`)],
    dead: [some(sql`d.dead_lettered`)],
    abandoned: [some(sql`d.abandoned`)],
  }
  const ids = { pending: parts.pending, failed: [...parts.retried, ...parts.dead, ...parts.abandoned], dead_lettered: parts.dead }[filter.status]
  return tx.many(sql<DeliveryRow>`
    select ${COLUMNS} from webhook_deliveries d ${withJob(tx)}
    where d.tenant_id = ${tx.tenantId} and d.id = any(array(select found.id from (${sql.join(ids, sql` union all `)}) as found order by found.id desc limit ${limit}))
    order by d.id desc`)
}

/** How many deliveries within some ranges of ids match, whatever their state. */
export async function countWithin(tx: ReadTx, filter: DeliveryFilter, ranges: IdRange[]): Promise<number> {
  const { n } = await tx.one(sql<{ n: number }>`
    select coalesce(sum(c.n), 0)::int as n from ${unnested(ranges)} cross join lateral (
      select count(*) as n from webhook_deliveries d
      where d.tenant_id = ${tx.tenantId} and ${LISTED} and d.id >= r.from_id and d.id < r.until_id and ${conditions({ ...filter, status: undefined })}) c`)
  return n
}

export interface UndeliveredCounts {
  pending: number
  retried: number
  dead: number
  /** Ended with their webhook. */
  abandoned: number
}

/** What is not delivered, under the other filters. A job need not look at its delivery unless the filter asks for more than the webhook. */
export function countUndelivered(tx: ReadTx, filter: DeliveryFilter): Promise<UndeliveredCounts> {
  const others = { ...filter, status: undefined }
  const plain = [filter.event, filter.surveyId, filter.since, filter.until].every((value) => value === undefined)
  const ofWebhook = filter.webhookId ? sql`q.webhook_id = ${filter.webhookId}` : sql`true`
  const delivery = sql`join webhook_deliveries d on d.tenant_id = ${tx.tenantId} and d.id = q.delivery_id and ${conditions(others)}`
  const left = sql`from ${LEDGER} where d.tenant_id = ${tx.tenantId} and ${conditions(others)}`
  return tx.one(sql<UndeliveredCounts>`
    select j.pending, j.retried, l.dead, a.abandoned
    from (
      select count(*) filter (where q.attempts = 0) as pending, count(*) filter (where q.attempts > 0) as retried
      from webhook_queue q ${plain ? sql`` : delivery} where q.tenant_id = ${tx.tenantId} and ${QUEUE_LISTED} and ${ofWebhook}) j
    cross join (select count(*) as dead ${left} and d.dead_lettered) l
    cross join (select count(*) as abandoned ${left} and d.abandoned) a`)
}

const LEDGER = sql`webhook_deliveries d`

function unnested(ranges: IdRange[]): RawBuilder<unknown> {
  return sql`unnest(${ranges.map((range) => range.from)}::uuid[], ${ranges.map((range) => range.until)}::uuid[]) as r (from_id, until_id)`
}

export function findDelivery(tx: ReadTx, id: Id<'delivery'>): Promise<DeliveryRow | undefined> {
  return tx.maybe(sql<DeliveryRow>`
    select ${COLUMNS} from webhook_deliveries d ${withJob(tx)}
    where d.tenant_id = ${tx.tenantId} and d.id = ${id}`)
}

export interface EventOfDelivery {
  id: Id<'event'>
  type: string
  data: string
  created_at: Date
}

/** The event that a delivery carries; gone once its retention has passed. */
export function findEventOf(tx: ReadTx, id: Id<'delivery'>): Promise<EventOfDelivery | undefined> {
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

export function listAttempts(tx: ReadTx, id: Id<'delivery'>): Promise<AttemptRow[]> {
  return tx.many(sql<AttemptRow>`
    select n, at, status_code, latency_ms, error, response_excerpt, timestamp, signature, body_sha256, omitted
    from webhook_attempts where tenant_id = ${tx.tenantId} and delivery_id = ${id} order by n`)
}

/** Deliveries of one event, newest first: what explain tells about a response. */
export function listDeliveriesOfSource(tx: ReadTx, webhookId: Id<'webhook'>, source: string): Promise<DeliveryRow[]> {
  return tx.many(sql<DeliveryRow>`
    select ${COLUMNS} from webhook_deliveries d join events e on e.tenant_id = ${tx.tenantId} and e.id = d.event_id
      ${withJob(tx)}
    where d.tenant_id = ${tx.tenantId} and d.webhook_id = ${webhookId} and e.source = ${source} order by d.id desc limit 20`)
}

/** Queues dead-lettered rows again by id; rows in another state are untouched. */
export function requeue(tx: TenantTx, ids: string[], now: Date): Promise<DeliveryRow[]> {
  return tx.many(sql<DeliveryRow>`
    with d as (
      update webhook_deliveries l
      set status = 'pending', dead_lettered = false, attempts = 0
      from webhooks w
      where l.tenant_id = ${tx.tenantId} and l.id = any(${ids}::uuid[]) and l.dead_lettered and w.tenant_id = ${tx.tenantId} and w.id = l.webhook_id
      returning l.*, w.enabled),
    q as (
      insert into webhook_queue (tenant_id, delivery_id, webhook_id, event_id, next_attempt_at, created_at)
      select d.tenant_id, d.id, d.webhook_id, d.event_id, case when d.enabled then ${now}::timestamptz end, ${now} from d
      on conflict (tenant_id, delivery_id) do update set attempts = 0, next_attempt_at = excluded.next_attempt_at, lease_until = null, lease_token = null,
        created_at = excluded.created_at
      returning delivery_id, next_attempt_at)
    select ${COLUMNS} from d join q on q.delivery_id = d.id`)
}

/** Dead-lettered rows whose webhook still exists. */
export async function countReplayable(tx: ReadTx, filter: DeliveryFilter): Promise<number> {
  const row = await tx.one(sql<{ n: number }>`
    select count(*) as n from webhook_deliveries d join webhooks w on w.tenant_id = ${tx.tenantId} and w.id = d.webhook_id
    where d.tenant_id = ${tx.tenantId} and ${conditions({ ...filter, status: 'dead_lettered' })}`)
  return row.n
}

/** The webhooks of some deliveries. */
export function listWebhookIds(tx: ReadTx, ids: string[]): Promise<Array<{ webhook_id: Id<'webhook'> }>> {
  return tx.many(sql<{ webhook_id: Id<'webhook'> }>`
    select distinct webhook_id from webhook_deliveries where tenant_id = ${tx.tenantId} and id = any(${ids}::uuid[])`)
}

export function listDeadLettered(tx: ReadTx, filter: DeliveryFilter, page: { after: string | null; limit: number }): Promise<Array<{ id: string }>> {
  return tx.many(sql<{ id: string }>`
    select d.id from webhook_deliveries d
    where d.tenant_id = ${tx.tenantId} and ${conditions({ ...filter, status: 'dead_lettered' })} and ${page.after ? sql`d.id > ${page.after}` : sql`true`}
    order by d.id limit ${page.limit}`)
}

function conditions(filter: DeliveryFilter): RawBuilder<unknown> {
  // A reference that is no id of ours matches nothing, like one of another tenant.
  const all = [matchesNothing(filter) ? sql`false` : sql`true`]
  if (filter.status === 'dead_lettered') all.push(sql`d.dead_lettered`)
  else if (filter.status !== undefined) all.push(sql`d.status = ${filter.status}`)
  // Each says its condition twice to be offered its index (migration 0018).
  if (filter.webhookId) all.push(sql`d.webhook_id = ${filter.webhookId} and d.webhook_id >= ${ZERO}`)
  if (filter.surveyId) all.push(sql`d.survey_id = ${filter.surveyId} and d.survey_id >= ${ZERO}`)
  if (filter.event !== undefined) all.push(sql`d.event = ${filter.event} and d.event >= ''`)
  if (filter.since !== undefined) all.push(sql`d.created_at >= ${filter.since}`)
  if (filter.until !== undefined) all.push(sql`d.created_at < ${filter.until}`)
  return sql.join(all, sql` and `)
}
