import { type RawBuilder, type ReadTx, sql } from '../../../../platform/database/database.ts'
import type { Id } from '../../../../platform/ids.ts'
import { readPage, type Sorted, type PageRequest } from '../../../../platform/fields/sorting.ts'
import { deliveries, TEST_SENDING, type DeliveryRow } from './delivery.entity.ts'
import { type IdRange, ANY_ID, matchesNothing, type DeliveryFilter } from './ledger-cover.ts'
import type { ExportKey } from '../../../../platform/export-source.ts'

/** `d` is a delivery, `q` its row of the queue while it has one, and `v` its event. */
const COLUMNS = sql`${deliveries.list('d')}, q.next_attempt_at, q.delivery_id is not null as waiting, v.source`

// A list by tenant says this to be offered its index (docs/decisions/0022); every row meets it.
const ZERO = sql.raw(`'${ANY_ID}'`)
const LISTED = sql`d.id >= ${ZERO}`
const QUEUED = sql`delivery_id >= ${ZERO} and next_attempt_at is not null`
const MOST_COUNTED = 10_000
const QUEUE_LISTED = sql`q.delivery_id >= ${ZERO}`

// One row of the queue at a time: as a plain join the planner may read the whole queue.
function withQueued(tx: ReadTx): RawBuilder<unknown> {
  return sql`left join lateral (
    select delivery_id, next_attempt_at from webhook_queue
    where tenant_id = ${tx.tenantId} and delivery_id = d.id offset 0) q on true ${withEvent(tx)}`
}

function withEvent(tx: ReadTx): RawBuilder<unknown> {
  return sql`left join lateral (
    select source from events where tenant_id = ${tx.tenantId} and id = d.event_id offset 0) v on true`
}

/** Deliveries in any state, or delivered ones, within some ranges of ids, newest first. */
export function listWithin(
  tx: ReadTx,
  filter: DeliveryFilter,
  ranges: IdRange[],
  limit: number,
): Promise<DeliveryRow[]> {
  return tx.many(sql<DeliveryRow>`
    select ${COLUMNS} from ${unnested(ranges)} cross join lateral (
      select d.* from webhook_deliveries d
      where d.tenant_id = ${tx.tenantId} and ${LISTED} and d.id >= r.from_id and d.id < r.until_id
        and ${conditionOf(filter)}
      order by d.id desc limit ${limit}) d
    ${withQueued(tx)}
    order by d.id desc limit ${limit}`)
}

/**
 * Deliveries that wait or failed, newest first. The queue, the dead letters and the abandoned are few among millions,
 * and have indexes of their own.
 */
export function listUndelivered(
  tx: ReadTx,
  filter: DeliveryFilter & { status: 'pending' | 'failed' | 'dead_lettered' },
  page: PageRequest,
): Promise<DeliveryRow[]> {
  const limit = page.limit + 1
  const others = conditionOf({ ...filter, status: undefined })
  const ofWebhook = filter.webhookId ? sql`q.webhook_id = ${filter.webhookId}` : sql`true`
  const queued = (which: RawBuilder<unknown>) => sql`
    (select d.id from webhook_queue q cross join lateral (
      select d.id from webhook_deliveries d
      where d.tenant_id = ${tx.tenantId} and d.id = q.delivery_id and ${others} offset 0) d
    where q.tenant_id = ${tx.tenantId} and ${QUEUE_LISTED} and ${ofWebhook} and ${which}
      and ${page.before ? sql`q.delivery_id < ${page.before}` : sql`true`}
    order by q.delivery_id desc limit ${limit})`
  const ended = (which: RawBuilder<unknown>) => sql`
    (select d.id from webhook_deliveries d
    where d.tenant_id = ${tx.tenantId} and ${which} and ${others}
      and ${page.before ? sql`d.id < ${page.before}` : sql`true`}
    order by d.id desc limit ${limit})`
  const dead = ended(sql`d.dead_lettered`)
  const parts = {
    pending: [queued(sql`q.attempts = 0`)],
    failed: [queued(sql`q.attempts > 0`), dead, ended(sql`d.abandoned`)],
    dead_lettered: [dead],
  }[filter.status]
  return tx.many(sql<DeliveryRow>`
    select ${COLUMNS} from webhook_deliveries d ${withQueued(tx)}
    where d.tenant_id = ${tx.tenantId} and d.id = any(array(
      select found.id from (${sql.join(parts, sql` union all `)}) as found order by found.id desc limit ${limit}))
    order by d.id desc`)
}

/** Deliveries that pass a condition on the alias `d`, in the order of the page. */
export function listFiltered(
  tx: ReadTx,
  condition: RawBuilder<unknown>,
  page: PageRequest,
): Promise<Array<DeliveryRow & Sorted>> {
  return readPage(page, deliveries.sorts, 'd', 'all', ({ value, where, order, limit, isByValue }) => {
    // Few wait, so they are read first where they decide the order.
    const waiting = sql`
      (select delivery_id, next_attempt_at from webhook_queue where tenant_id = ${tx.tenantId} and ${QUEUED}) q
      cross join lateral (select * from webhook_deliveries where tenant_id = ${tx.tenantId} and id = q.delivery_id offset 0) d
      ${withEvent(tx)}`
    const isWaiting = isByValue && page.sorting?.field === 'next_attempt_at'
    return tx.many(sql<DeliveryRow & Sorted>`
      select ${COLUMNS}, ${value} from ${isWaiting ? waiting : sql`webhook_deliveries d ${withQueued(tx)}`}
      where d.tenant_id = ${tx.tenantId} and ${page.sorting ? sql`true` : LISTED} and ${condition} and ${where}
      order by ${order} limit ${limit}`)
  })
}

/** How many of the newest are in each state, under a condition on the alias `d`. */
export function countFiltered(
  tx: ReadTx,
  condition: RawBuilder<unknown>,
): Promise<Record<'pending' | 'delivered' | 'failed' | 'dead_lettered', number>> {
  return tx.one(sql<Record<'pending' | 'delivered' | 'failed' | 'dead_lettered', number>>`
    select count(*) filter (where c.status = 'pending')::integer as pending,
      count(*) filter (where c.status = 'delivered')::integer as delivered,
      count(*) filter (where c.status = 'failed')::integer as failed,
      count(*) filter (where c.dead_lettered)::integer as dead_lettered
    from (
      select d.status, d.dead_lettered from webhook_deliveries d
      where d.tenant_id = ${tx.tenantId} and ${LISTED} and ${condition}
      order by d.id desc limit ${MOST_COUNTED}) c`)
}

/** How many deliveries within some ranges of ids match, in any state. */
export async function countWithin(tx: ReadTx, filter: DeliveryFilter, ranges: IdRange[]): Promise<number> {
  const others = conditionOf({ ...filter, status: undefined })
  const { n } = await tx.one(sql<{ n: number }>`
    select coalesce(sum(c.n), 0)::int as n from ${unnested(ranges)} cross join lateral (
      select count(*) as n from webhook_deliveries d
      where d.tenant_id = ${tx.tenantId} and ${LISTED} and d.id >= r.from_id and d.id < r.until_id and ${others}) c`)
  return n
}

export interface UndeliveredCounts {
  pending: number
  retried: number
  dead: number
  /** Ended with their webhook. */
  abandoned: number
}

/** How many are not delivered, under the other filters. */
export function countUndelivered(tx: ReadTx, filter: DeliveryFilter): Promise<UndeliveredCounts> {
  const others = conditionOf({ ...filter, status: undefined })
  const ofWebhook = filter.webhookId ? sql`q.webhook_id = ${filter.webhookId}` : sql`true`
  // The queue knows the webhook. Its rows look up their deliveries only for the other filters.
  const needsDelivery = [filter.event, filter.surveyId, filter.since, filter.until].some((value) => value !== undefined)
  const delivery = sql`
    join webhook_deliveries d on d.tenant_id = ${tx.tenantId} and d.id = q.delivery_id and ${others}`
  const ended = sql`from webhook_deliveries d where d.tenant_id = ${tx.tenantId} and ${others}`
  return tx.one(sql<UndeliveredCounts>`
    select j.pending, j.retried, l.dead, a.abandoned
    from (
      select count(*) filter (where q.attempts = 0) as pending, count(*) filter (where q.attempts > 0) as retried
      from webhook_queue q ${needsDelivery ? delivery : sql``}
      where q.tenant_id = ${tx.tenantId} and ${QUEUE_LISTED} and ${ofWebhook}) j
    cross join (select count(*) as dead ${ended} and d.dead_lettered) l
    cross join (select count(*) as abandoned ${ended} and d.abandoned) a`)
}

export function findDelivery(tx: ReadTx, id: Id<'delivery'>): Promise<DeliveryRow | undefined> {
  return tx.maybe(sql<DeliveryRow>`
    select ${COLUMNS} from webhook_deliveries d ${withQueued(tx)}
    where d.tenant_id = ${tx.tenantId} and d.id = ${id}`)
}

export function listByIds(tx: ReadTx, ids: string[]): Promise<DeliveryRow[]> {
  return tx.many(sql<DeliveryRow>`
    select ${COLUMNS} from webhook_deliveries d ${withQueued(tx)}
    where d.tenant_id = ${tx.tenantId} and d.id = any(${ids}::uuid[]) order by d.id`)
}

export interface EventOfDelivery {
  id: Id<'event'>
  type: string
  survey_id: Id<'survey'> | null
  data: string
  created_at: Date
  by_day: boolean
}

/** The event that a delivery carries; gone once its retention has passed. */
export function findEventOf(tx: ReadTx, id: Id<'delivery'>): Promise<EventOfDelivery | undefined> {
  return tx.maybe(sql<EventOfDelivery>`
    select e.id, e.type, e.survey_id, e.data, e.created_at, d.by_day
    from webhook_deliveries d join events e on e.tenant_id = ${tx.tenantId} and e.id = d.event_id
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
  url: string | null
  /** JSON, like the headers of the answer. */
  request_headers: string | null
  response_headers: string | null
  address: string | null
  superseded: boolean
}

/** The latest 100 attempts of a delivery, which may have been replayed without end, the first of them first. */
export function listAttempts(tx: ReadTx, id: Id<'delivery'>): Promise<AttemptRow[]> {
  return tx.many(sql<AttemptRow>`
    select n, at, status_code, latency_ms, error, response_excerpt, timestamp, signature, body_sha256, omitted,
      url, request_headers, response_headers, address, superseded
    from (
      select * from webhook_attempts where tenant_id = ${tx.tenantId} and delivery_id = ${id}
      order by n desc limit 100) as latest
    order by n`)
}

/** Deliveries of one cause to one webhook, newest first. A backfill adds its id to the source after a colon. */
export function listDeliveriesOfSource(tx: ReadTx, webhookId: Id<'webhook'>, source: string): Promise<DeliveryRow[]> {
  // `;` is the character after `:`.
  return tx.many(sql<DeliveryRow>`
    select ${COLUMNS}
    from (
      select id from events
      where tenant_id = ${tx.tenantId} and source >= ${source} and source < ${`${source};`} and source >= ''
      order by source desc limit 100) e
      join webhook_deliveries d on d.tenant_id = ${tx.tenantId} and d.event_id = e.id
      ${withQueued(tx)}
    where d.webhook_id = ${webhookId}
    order by d.id desc limit 20`)
}

function unnested(ranges: IdRange[]): RawBuilder<unknown> {
  const [from, until] = [ranges.map((range) => range.from), ranges.map((range) => range.until)]
  return sql`unnest(${from}::uuid[], ${until}::uuid[]) as r (from_id, until_id)`
}

/** The filters as a condition on the alias `d`. */
export function conditionOf(filter: DeliveryFilter): RawBuilder<unknown> {
  // A reference that is no id of ours matches nothing, like one of another tenant.
  const all = [matchesNothing(filter) ? sql`false` : sql`true`]
  if (filter.status === 'dead_lettered') all.push(sql`d.dead_lettered`)
  else if (filter.status !== undefined) all.push(sql`d.status = ${filter.status}`)
  // Each says its condition twice to be offered its index (docs/decisions/0022).
  if (filter.webhookId) all.push(sql`d.webhook_id = ${filter.webhookId} and d.webhook_id >= ${ZERO}`)
  if (filter.surveyId) all.push(sql`d.survey_id = ${filter.surveyId} and d.survey_id >= ${ZERO}`)
  if (filter.event !== undefined) all.push(sql`d.event = ${filter.event} and d.event >= ''`)
  if (filter.since !== undefined) all.push(sql`d.created_at >= ${filter.since}`)
  if (filter.until !== undefined) all.push(sql`d.created_at < ${filter.until}`)
  if (filter.eventIds) all.push(sql`d.event_id = any(${filter.eventIds}::uuid[])`)
  if (filter.withoutDays) all.push(sql`not d.by_day`)
  if (filter.withoutTests) all.push(sql`d.backfill_id <> ${TEST_SENDING}`)
  return sql.join(all, sql` and `)
}

/** @param condition a filter on the alias `d`. */
export function selectKeys(tx: ReadTx, condition: RawBuilder<unknown>): RawBuilder<ExportKey> {
  return sql<ExportKey>`
    select d.id, null::text as member from webhook_deliveries d where d.tenant_id = ${tx.tenantId} and ${condition}`
}
