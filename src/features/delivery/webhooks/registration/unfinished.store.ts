import { sql, type RawBuilder, type TenantTx } from '../../../../platform/database/database.ts'
import type { Id } from '../../../../platform/ids.ts'

/** Fails the unfinished deliveries of a deleted webhook. Requests in flight get their numbers in the log. */
export function failUnfinished(tx: TenantTx, webhookId: Id<'webhook'>, error: string): Promise<number> {
  return tx.run(sql`
    with ended as (
      delete from webhook_queue
      where tenant_id = ${tx.tenantId} and delivery_id = any(array(${locked(tx, webhookId, sql`true`)}))
      returning delivery_id, lease_token)
    update webhook_deliveries set status = 'failed', abandoned = true, last_error = ${error},
      superseded = id = any(array(${IN_FLIGHT})),
      attempts_logged = attempts_logged + (id = any(array(${IN_FLIGHT})))::int
    where tenant_id = ${tx.tenantId} and id = any(array(select delivery_id from ended))`)
}

const IN_FLIGHT = sql.raw('select delivery_id from ended where lease_token is not null')

/** Lets a disabled webhook's deliveries wait. They keep their state, and a request in flight is still recorded. */
export function parkUnfinished(tx: TenantTx, webhookId: Id<'webhook'>): Promise<number> {
  return tx.run(sql`
    update webhook_queue set next_attempt_at = null
    where tenant_id = ${tx.tenantId}
      and delivery_id = any(array(${locked(tx, webhookId, sql`next_attempt_at is not null`)}))`)
}

export function unparkUnfinished(tx: TenantTx, webhookId: Id<'webhook'>, now: Date): Promise<number> {
  return tx.run(sql`
    update webhook_queue set next_attempt_at = ${now}
    where tenant_id = ${tx.tenantId}
      and delivery_id = any(array(${locked(tx, webhookId, sql`next_attempt_at is null`)}))`)
}

// In the order of their ids, as recording locks them.
function locked(tx: TenantTx, webhookId: Id<'webhook'>, which: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select delivery_id from webhook_queue
    where tenant_id = ${tx.tenantId} and webhook_id = ${webhookId} and ${which}
    order by delivery_id for update`
}

/**
 * Marks the requests in flight of these events, in the order of their ids, as recording locks them. The others are
 * locked too, so that nobody claims one before this transaction commits.
 */
export function supersedeAttempts(tx: TenantTx, eventIds: string[]): Promise<number> {
  return tx.run(sql`
    update webhook_queue set superseded = true
    where tenant_id = ${tx.tenantId} and lease_token is not null and delivery_id = any(array(
      select q.delivery_id from unnest(${eventIds}::uuid[]) as given(id)
      cross join lateral (
        select d.id from webhook_deliveries d where d.tenant_id = ${tx.tenantId} and d.event_id = given.id offset 0) d
      join webhook_queue q on q.tenant_id = ${tx.tenantId} and q.delivery_id = d.id
      order by q.delivery_id for update of q))`)
}
