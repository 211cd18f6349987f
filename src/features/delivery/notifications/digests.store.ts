import { type ReadTx, sql, type TenantTx } from '../../../platform/database/database.ts'
import type { Id } from '../../../platform/ids.ts'
import type { Lease, NotifiedEvent } from './message.ts'

const WAITING = sql.raw(`status = 'pending' and next_attempt_at is null`)

export interface DueDigest {
  id: Id<'notificationSubscription'>
}

/** Leases one digest that is due. Only one worker gets it. */
export function claimDigest(tx: TenantTx, lease: Lease): Promise<DueDigest | undefined> {
  return tx.maybe(sql<DueDigest>`
    with due as materialized (
      select id from notification_subscriptions
      where tenant_id = ${tx.tenantId} and next_digest_at <= ${lease.now}
      order by next_digest_at, id limit 1 for update skip locked)
    update notification_subscriptions set next_digest_at = ${lease.until}, lease_token = ${lease.token}
    where tenant_id = ${tx.tenantId} and id in (select id from due)
    returning id`)
}

/** Takes waiting rows into the digest, at most `limit`. Those of an earlier try are taken again. */
export function takeWaiting(
  tx: TenantTx,
  subscriptionId: Id<'notificationSubscription'>,
  token: string,
  { limit, today }: { limit: number; today: Date },
): Promise<number> {
  return tx.run(sql`
    with taken as materialized (
      select id from notifications
      where tenant_id = ${tx.tenantId} and subscription_id = ${subscriptionId} and ${WAITING}
        and lease_token is distinct from ${token}
        and (not withheld or created_at < ${today})
      limit ${limit} for update)
    update notifications set lease_token = ${token}
    where tenant_id = ${tx.tenantId} and id in (select id from taken)`)
}

export interface Count {
  event: string
  survey_id: Id<'survey'> | null
  count: number
}

export function countTaken(
  tx: ReadTx,
  subscriptionId: Id<'notificationSubscription'>,
  token: string,
): Promise<Count[]> {
  return tx.many(sql<Count>`
    select event, survey_id, count(*)::int as count from notifications
    where tenant_id = ${tx.tenantId} and subscription_id = ${subscriptionId} and ${WAITING} and lease_token = ${token}
    group by event, survey_id order by count desc, event, survey_id limit 50`)
}

/** The latest of a digest whose words may be told. */
export function listLatest(
  tx: ReadTx,
  subscriptionId: Id<'notificationSubscription'>,
  token: string,
  limit: number,
): Promise<Array<NotifiedEvent>> {
  return tx.many(sql<NotifiedEvent>`
    select event_id, event, survey_id, withheld from notifications
    where tenant_id = ${tx.tenantId} and subscription_id = ${subscriptionId} and ${WAITING} and lease_token = ${token}
      and not withheld
    order by id desc limit ${limit}`)
}

export function settleTaken(
  tx: TenantTx,
  subscriptionId: Id<'notificationSubscription'>,
  token: string,
  isGivenUp: boolean,
  now: Date,
): Promise<number> {
  return tx.run(sql`
    update notifications set status = 'sent', given_up = ${isGivenUp}, sent_at = ${now}, lease_token = null
    where tenant_id = ${tx.tenantId} and subscription_id = ${subscriptionId} and ${WAITING} and lease_token = ${token}`)
}

/** Plans the next digest, or the next try of this one, if the lease still holds. */
export function planDigest(
  tx: TenantTx,
  id: Id<'notificationSubscription'>,
  token: string,
  plan: { at: Date | null; attempts: number },
): Promise<number> {
  return tx.run(sql`
    update notification_subscriptions set next_digest_at = ${plan.at}, digest_attempts = ${plan.attempts}, lease_token = null
    where tenant_id = ${tx.tenantId} and id = ${id} and lease_token = ${token}`)
}
