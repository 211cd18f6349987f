import { type ReadTx, sql, type TenantTx } from '../../../../platform/database/database.ts'
import type { Id } from '../../../../platform/ids.ts'

/** Deliveries about these responses with an answer in their log. */
export async function listAnswered(tx: ReadTx, responseIds: Id<'response'>[]): Promise<string[]> {
  const rows = await tx.many(sql<{ id: string }>`
    select d.id from unnest(${responseIds.map((id) => `response:${id}:`)}::text[]) as given(source)
    cross join lateral (
      select id from events
      where tenant_id = ${tx.tenantId} and source >= given.source and source < rtrim(given.source, ':') || ';' and source >= ''
      offset 0) e
    cross join lateral (
      select w.id from webhook_deliveries w
      where w.tenant_id = ${tx.tenantId} and w.event_id = e.id
        and exists (
          select from webhook_attempts a
          where a.tenant_id = ${tx.tenantId} and a.delivery_id = w.id and a.response_excerpt <> '')
      offset 0) d
    order by d.id`)
  return rows.map(({ id }) => id)
}

export interface Payload {
  event_id: string
  data: string
  excerpts: string[]
}

/** Events of these responses, with what receivers answered. */
export function listPayloads(tx: ReadTx, responseIds: string[]): Promise<Payload[]> {
  return tx.many(sql<Payload>`
    select e.id as event_id, e.data, array(
      select a.response_excerpt from webhook_deliveries d
      join webhook_attempts a on a.tenant_id = ${tx.tenantId} and a.delivery_id = d.id
      where d.tenant_id = ${tx.tenantId} and d.event_id = e.id and a.response_excerpt <> '') as excerpts
    from unnest(${responseIds.map((id) => `response:${id}:`)}::text[]) as given(source)
    cross join lateral (
      select id, data from events
      where tenant_id = ${tx.tenantId} and source >= given.source and source < rtrim(given.source, ':') || ';' and source >= ''
      offset 0) e
    order by e.id`)
}

/** Deliveries of these events with an answer in their log. */
export async function listAnsweredEvents(tx: ReadTx, eventIds: string[]): Promise<string[]> {
  const rows = await tx.many(sql<{ id: string }>`
    select d.id from unnest(${eventIds}::uuid[]) as given(id)
    cross join lateral (
      select w.id from webhook_deliveries w
      where w.tenant_id = ${tx.tenantId} and w.event_id = given.id
        and exists (
          select from webhook_attempts a
          where a.tenant_id = ${tx.tenantId} and a.delivery_id = w.id and a.response_excerpt <> '')
      offset 0) d
    order by d.id`)
  return rows.map(({ id }) => id)
}

/** Returns the number of deliveries. */
export async function eraseExcerpts(tx: TenantTx, ids: string[]): Promise<number> {
  const rows = await tx.many(sql<{ delivery_id: string }>`
    update webhook_attempts set response_excerpt = null
    where tenant_id = ${tx.tenantId} and delivery_id = any(${ids}::uuid[]) and response_excerpt <> '' returning delivery_id`)
  return new Set(rows.map(({ delivery_id }) => delivery_id)).size
}

export function listExcerpts(
  tx: ReadTx,
  ids: string[],
): Promise<
  Array<{
    id: Id<'delivery'>
    event: string
    source: string | null
    at: Date
    status_code: number | null
    excerpt: string
  }>
> {
  return tx.many(sql<{
    id: Id<'delivery'>
    event: string
    source: string | null
    at: Date
    status_code: number | null
    excerpt: string
  }>`
    select d.id, d.event, e.source, a.at, a.status_code, a.response_excerpt as excerpt
    from webhook_attempts a join webhook_deliveries d on d.tenant_id = ${tx.tenantId} and d.id = a.delivery_id
    join events e on e.tenant_id = ${tx.tenantId} and e.id = d.event_id
    where a.tenant_id = ${tx.tenantId} and a.delivery_id = any(${ids}::uuid[]) and a.response_excerpt <> ''
    order by d.id, a.n`)
}

/**
 * The webhooks that were sent these events, or are being sent them, with the time of the last attempt. The URL is null
 * if the webhook is gone.
 */
export function listReceivers(
  tx: ReadTx,
  eventIds: string[],
): Promise<Array<{ webhook_id: Id<'webhook'>; url: string | null; at: Date }>> {
  return tx.many(sql<{ webhook_id: Id<'webhook'>; url: string | null; at: Date }>`
    select d.webhook_id, max(w.url) as url, max(coalesce(d.delivered_at, d.created_at)) as at
    from webhook_deliveries d left join webhooks w on w.tenant_id = ${tx.tenantId} and w.id = d.webhook_id
    where d.tenant_id = ${tx.tenantId} and d.event_id = any(${eventIds}::uuid[])
      and (d.attempts_logged > 0 or exists (
        select from webhook_queue q
        where q.tenant_id = ${tx.tenantId} and q.delivery_id = d.id and q.lease_token is not null))
    group by d.webhook_id order by d.webhook_id`)
}
