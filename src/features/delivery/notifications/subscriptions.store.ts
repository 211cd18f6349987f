import { json, type ReadTx, sql, type TenantTx } from '../../../platform/database/database.ts'
import type { Filter } from '../../../platform/filter/grammar.ts'
import type { Id } from '../../../platform/ids.ts'
import { listFitting, type Fitting } from '../../../platform/fields/fitting.ts'
import type { PageRequest } from '../../../platform/fields/sorting.ts'
import type { Channel, Digest } from './message.ts'

/** The part of a subscription that decides who is told of an event. */
export interface Subscriber {
  id: Id<'notificationSubscription'>
  user_id: Id<'user'>
  event: string
  channel: Channel
  survey_ids: Id<'survey'>[]
  filter: Filter | null
  digest: Digest
  enabled: boolean
}

export interface SubscriptionRow extends Subscriber {
  /** The sealed URL of a chat. */
  target: string | null
  target_host: string | null
  language: string
  disabled_reason: string | null
  failing_since: Date | null
  blocked_until: Date | null
  next_digest_at: Date | null
  digest_attempts: number
  created_at: Date
}

const COLUMNS = sql.raw(
  'id, user_id, event, channel, survey_ids, filter, digest, enabled, target, target_host, language, disabled_reason, ' +
    'failing_since, blocked_until, next_digest_at, digest_attempts, created_at',
)

/** The subscriptions to events of a type. An empty `survey_ids` means every survey. */
export function listSubscribers(tx: ReadTx, event: string): Promise<Subscriber[]> {
  return tx.prepared<Subscriber>({
    name: 'list-notification-subscribers',
    text: `select id, user_id, event, channel, survey_ids, filter, digest, enabled
      from notification_subscriptions where tenant_id = $1 and event = $2`,
    values: [tx.tenantId, event],
  })
}

export function listSubscriptions(
  tx: ReadTx,
  userId: Id<'user'>,
  page: PageRequest,
): Promise<Fitting<SubscriptionRow>> {
  const rows = { table: 'notification_subscriptions', columns: COLUMNS }
  return listFitting(tx, rows, page, sql`user_id = ${userId}`)
}

export function findSubscription(tx: ReadTx, id: Id<'notificationSubscription'>): Promise<SubscriptionRow | undefined> {
  return tx.maybe(sql<SubscriptionRow>`
    select ${COLUMNS} from notification_subscriptions where tenant_id = ${tx.tenantId} and id = ${id}`)
}

/** The languages of some subscriptions. */
export function listLanguages(
  tx: ReadTx,
  ids: Id<'notificationSubscription'>[],
): Promise<Array<{ id: Id<'notificationSubscription'>; language: string }>> {
  return tx.many(sql<{ id: Id<'notificationSubscription'>; language: string }>`
    select id, language from notification_subscriptions where tenant_id = ${tx.tenantId} and id = any(${ids}::uuid[])`)
}

export type NewSubscription = Pick<
  SubscriptionRow,
  | 'id'
  | 'user_id'
  | 'event'
  | 'channel'
  | 'survey_ids'
  | 'filter'
  | 'digest'
  | 'target'
  | 'target_host'
  | 'language'
  | 'next_digest_at'
  | 'created_at'
>

export function insertSubscription(tx: TenantTx, row: NewSubscription): Promise<SubscriptionRow> {
  return tx.one(sql<SubscriptionRow>`
    insert into notification_subscriptions (tenant_id, id, user_id, event, channel, survey_ids, filter, digest, target,
      target_host, language, next_digest_at, created_at)
    values (${tx.tenantId}, ${row.id}, ${row.user_id}, ${row.event}, ${row.channel}, ${row.survey_ids}::uuid[],
      ${row.filter && json(row.filter)}, ${row.digest}, ${row.target}, ${row.target_host}, ${row.language},
      ${row.next_digest_at}, ${row.created_at})
    returning ${COLUMNS}`)
}

export function deleteSubscription(
  tx: TenantTx,
  userId: Id<'user'>,
  id: Id<'notificationSubscription'>,
): Promise<number> {
  return tx.run(
    sql`delete from notification_subscriptions where tenant_id = ${tx.tenantId} and user_id = ${userId} and id = ${id}`,
  )
}

export async function countSubscriptions(tx: ReadTx, userId: Id<'user'>): Promise<number> {
  const { count } = await tx.one(sql<{ count: number }>`
    select count(*)::int as count from notification_subscriptions where tenant_id = ${tx.tenantId} and user_id = ${userId}`)
  return count
}

/** Notes how a channel stands after a message. */
export function updateHealth(
  tx: TenantTx,
  id: Id<'notificationSubscription'>,
  health: { failingSince: Date | null; blockedUntil: Date | null },
): Promise<number> {
  return tx.run(sql`
    update notification_subscriptions set failing_since = ${health.failingSince}, blocked_until = ${health.blockedUntil}
    where tenant_id = ${tx.tenantId} and id = ${id}`)
}

/** Returns 0 if it was disabled before. */
export function disableSubscription(tx: TenantTx, id: Id<'notificationSubscription'>, reason: string): Promise<number> {
  return tx.run(sql`
    update notification_subscriptions set enabled = false, disabled_reason = ${reason}, next_digest_at = null
    where tenant_id = ${tx.tenantId} and id = ${id} and enabled`)
}

export function lockSubscription(
  tx: TenantTx,
  id: Id<'notificationSubscription'>,
): Promise<SubscriptionRow | undefined> {
  return tx.maybe(sql<SubscriptionRow>`
    select ${COLUMNS} from notification_subscriptions where tenant_id = ${tx.tenantId} and id = ${id} for update`)
}

/** A member's own decision. It ends a lease on the digest. */
export function updateEnabled(
  tx: TenantTx,
  id: Id<'notificationSubscription'>,
  change: { enabled: boolean; reason: string | null; nextDigestAt: Date | null },
): Promise<SubscriptionRow> {
  return tx.one(sql<SubscriptionRow>`
    update notification_subscriptions set enabled = ${change.enabled}, disabled_reason = ${change.reason},
      next_digest_at = ${change.nextDigestAt}, digest_attempts = 0, lease_token = null, failing_since = null,
      blocked_until = null
    where tenant_id = ${tx.tenantId} and id = ${id} returning ${COLUMNS}`)
}
