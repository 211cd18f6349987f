import { type RawBuilder, type ReadTx, type TenantTx, sql } from '../../../../platform/database/database.ts'
import type { Id } from '../../../../platform/ids.ts'
import { TEST_SENDING } from '../log/delivery.entity.ts'

/** Which dead letters a replay sends again. Null is any. */
export interface ReplayFilter {
  webhook_id: Id<'webhook'> | null
  event: string | null
  since: Date | null
  until: Date
}

export interface RequeuedRow {
  id: Id<'delivery'>
  webhook_id: Id<'webhook'>
}

/** Queues dead-lettered rows again by id; rows in another state are untouched. */
export function requeue(tx: TenantTx, ids: string[], now: Date): Promise<RequeuedRow[]> {
  return tx.many(sql<RequeuedRow>`
    with d as (
      update webhook_deliveries l
      set status = 'pending', dead_lettered = false, attempts = 0
      from webhooks w
      where l.tenant_id = ${tx.tenantId} and l.id = any(${ids}::uuid[]) and l.dead_lettered
        and w.tenant_id = ${tx.tenantId} and w.id = l.webhook_id
      returning l.*, w.enabled),
    q as (
      insert into webhook_queue (tenant_id, delivery_id, webhook_id, event_id, next_attempt_at, created_at)
      select d.tenant_id, d.id, d.webhook_id, d.event_id, case when d.enabled then ${now}::timestamptz end, ${now}
      from d
      on conflict (tenant_id, delivery_id) do update
      set attempts = 0, next_attempt_at = excluded.next_attempt_at, lease_until = null, lease_token = null,
        created_at = excluded.created_at
      returning delivery_id)
    select d.id, d.webhook_id from d join q on q.delivery_id = d.id`)
}

/** Makes a row due that waits for its next attempt. Returns 0 if it does not wait. */
export function makeDue(tx: TenantTx, id: Id<'delivery'>, now: Date): Promise<number> {
  return tx.run(sql`
    update webhook_queue set next_attempt_at = ${now}
    where tenant_id = ${tx.tenantId} and delivery_id = ${id} and attempts > 0 and next_attempt_at is not null
      and (lease_until is null or lease_until <= ${now})`)
}

/** The count of a replay or a resend for one webhook. */
export interface SendableRow {
  webhook_id: Id<'webhook'>
  enabled: boolean
  deliveries: number
  events: number
}

/** Dead letters whose webhook still exists, by webhook. */
export function countReplayable(tx: ReadTx, filter: ReplayFilter): Promise<SendableRow[]> {
  return tx.many(sql<SendableRow>`
    select w.id as webhook_id, w.enabled, count(*)::integer as deliveries, count(*)::integer as events
    from webhook_deliveries d join webhooks w on w.tenant_id = ${tx.tenantId} and w.id = d.webhook_id
    where d.tenant_id = ${tx.tenantId} and ${conditions(filter)}
    group by w.id, w.enabled order by w.id`)
}

/** The next dead letters in the order of their ids. */
export function listDeadLetters(
  tx: ReadTx,
  filter: ReplayFilter,
  page: { after: string | null; limit: number },
): Promise<RequeuedRow[]> {
  return tx.many(sql<RequeuedRow>`
    select d.id, d.webhook_id from webhook_deliveries d
    where d.tenant_id = ${tx.tenantId} and ${conditions(filter)}
      and ${page.after ? sql`d.id > ${page.after}` : sql`true`}
    order by d.id limit ${page.limit}`)
}

/** The deliveries that a resend sends once more. It sends no tests. */
export interface ResendFilter extends ReplayFilter {
  survey_id: Id<'survey'> | null
}

export interface DeliveredRow {
  id: Id<'delivery'>
  webhook_id: Id<'webhook'>
  event_id: Id<'event'>
  event: string
  survey_id: Id<'survey'> | null
  /** Of an anonymous survey, the day that people read. */
  day: Date | null
}

/** Delivered ones whose webhook and event exist, in the order of their ids. */
export function listDelivered(
  tx: ReadTx,
  filter: ResendFilter,
  page: { after: string | null; limit: number },
): Promise<DeliveredRow[]> {
  return tx.many(sql<DeliveredRow>`
    select d.id, d.webhook_id, d.event_id, d.event, d.survey_id, case when d.by_day then d.created_at end as day
    from ${delivered(tx, filter)}
      and ${page.after ? sql`d.id > ${page.after}` : sql`true`}
    order by d.id limit ${page.limit}`)
}

/** How many there are, up to `most` in all, and how many events they tell, by webhook. */
export function countDelivered(tx: ReadTx, filter: ResendFilter, most: number): Promise<SendableRow[]> {
  return tx.many(sql<SendableRow>`
    select found.webhook_id, found.enabled, count(*)::integer as deliveries,
      count(distinct found.event_id)::integer as events
    from (select d.webhook_id, w.enabled, d.event_id from ${delivered(tx, filter)} limit ${most}) as found
    group by found.webhook_id, found.enabled order by found.webhook_id`)
}

function delivered(tx: ReadTx, filter: ResendFilter): RawBuilder<unknown> {
  const ofSurvey = filter.survey_id ? sql`d.survey_id = ${filter.survey_id} and d.survey_id >= ${ZERO}` : sql`true`
  return sql`webhook_deliveries d
    cross join lateral (
      select id, enabled from webhooks where tenant_id = ${tx.tenantId} and id = d.webhook_id offset 0) w
    cross join lateral (select id from events where tenant_id = ${tx.tenantId} and id = d.event_id offset 0) e
    where d.tenant_id = ${tx.tenantId} and ${conditions(filter, sql`d.status = 'delivered'`)} and ${ofSurvey}
      and d.id >= ${ZERO} and d.backfill_id <> ${TEST_SENDING}`
}

// Each says its condition twice to be offered its index (docs/decisions/0022).
function conditions(
  { webhook_id, event, since, until }: ReplayFilter,
  state: RawBuilder<unknown> = sql`d.dead_lettered`,
): RawBuilder<unknown> {
  const all = [state, sql`d.created_at < ${until}`]
  if (webhook_id) all.push(sql`d.webhook_id = ${webhook_id} and d.webhook_id >= ${ZERO}`)
  if (event !== null) all.push(sql`d.event = ${event} and d.event >= ''`)
  if (since !== null) all.push(sql`d.created_at >= ${since}`)
  return sql.join(all, sql` and `)
}

const ZERO = sql.raw(`'00000000-0000-0000-0000-000000000000'`)
