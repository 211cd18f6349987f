import { backlogOf, type BacklogRow } from '../../../platform/work/due-tenants.ts'
import {
  type RawBuilder,
  type ReadTx,
  sql,
  type SystemTx,
  type TenantTx,
  type Statement,
} from '../../../platform/database/database.ts'
import type { Id } from '../../../platform/ids.ts'
import type { PageRequest } from '../../../platform/fields/sorting.ts'
import type { Channel, Lease, NotifiedEvent } from './message.ts'

export interface NotificationRow {
  id: Id<'notification'>
  channel: Channel
  event: string
  survey_id: Id<'survey'> | null
  status: 'pending' | 'sent'
  given_up: boolean
  created_at: Date
  sent_at: Date | null
  read_at: Date | null
  /** It comes from an anonymous survey. */
  withheld: boolean
  /** The `source` of its event. Null after retention removed the event. */
  source: string | null
}

export interface StagedEvent {
  id: Id<'event'>
  type: string
  surveyId: Id<'survey'> | null
}

const COLUMNS = sql.raw(
  'n.id, n.channel, n.event, n.survey_id, n.status, n.given_up, n.created_at, n.sent_at, n.read_at, n.withheld, v.source',
)

export interface NewNotification {
  id: Id<'notification'>
  subscriptionId: Id<'notificationSubscription'>
  userId: Id<'user'>
  channel: Channel
  /** Null waits for a digest. */
  dueAt: Date | null
}

const INSERT = `
  insert into notifications as x (tenant_id, id, subscription_id, user_id, channel, event_id, event, survey_id, status, next_attempt_at, created_at, withheld)
  select e.tenant_id, given.id, given.subscription_id, given.user_id, given.channel, $2::uuid, $3::text, $4::uuid, 'pending', given.due_at, $5::timestamptz, $11::boolean
  from unnest($6::uuid[], $7::uuid[], $8::uuid[], $9::text[], $10::timestamptz[]) as given(id, subscription_id, user_id, channel, due_at)
  cross join lateral (select tenant_id from events where tenant_id = $1 and id = $2 offset 0) e
  on conflict (tenant_id, subscription_id, event_id) do nothing
  returning x.id`

/**
 * Runs after the event is written. An event that already existed notifies nobody, so nobody is notified twice.
 * @param told when, and whether the event is told without its words.
 */
export function insertNotifications(
  tx: TenantTx,
  event: StagedEvent,
  rows: NewNotification[],
  told: { at: Date; withheld: boolean },
): Statement {
  return {
    name: 'insert-notifications',
    text: INSERT,
    values: [
      tx.tenantId,
      event.id,
      event.type,
      event.surveyId,
      told.at,
      rows.map(({ id }) => id),
      rows.map(({ subscriptionId }) => subscriptionId),
      rows.map(({ userId }) => userId),
      rows.map(({ channel }) => channel),
      rows.map(({ dueAt }) => dueAt),
      told.withheld,
    ],
  }
}

export interface DueNotification extends NotifiedEvent {
  id: Id<'notification'>
  subscription_id: Id<'notificationSubscription'>
  user_id: Id<'user'>
  channel: Channel
  attempts: number
}

const DUE_COLUMNS = sql.raw('id, subscription_id, user_id, channel, event_id, event, survey_id, withheld, attempts')

/** Locked until the sending transaction ends. Skips those that another worker sends. */
export function lockDue(tx: TenantTx, now: Date, limit: number): Promise<DueNotification[]> {
  return tx.many(sql<DueNotification>`
    select ${DUE_COLUMNS} from notifications
    where tenant_id = ${tx.tenantId} and next_attempt_at <= ${now} and channel in ('email', 'console')
    order by next_attempt_at, id limit ${limit} for update skip locked`)
}

/** Leases due messages to chats. After the lease another worker may claim them. */
export function claimChats(tx: TenantTx, lease: Lease, limit: number): Promise<DueNotification[]> {
  return tx.many(sql<DueNotification>`
    with due as materialized (
      select id from notifications
      where tenant_id = ${tx.tenantId} and next_attempt_at <= ${lease.now} and channel in ('slack', 'teams')
      order by next_attempt_at, id limit ${limit} for update skip locked)
    update notifications set next_attempt_at = ${lease.until}, lease_token = ${lease.token}
    where tenant_id = ${tx.tenantId} and id in (select id from due)
    returning ${DUE_COLUMNS}`)
}

export type Settled =
  | { state: 'sent' | 'given_up'; attempts: number }
  | { state: 'pending'; attempts: number; at: Date }

/** Records the result of a claim, if its lease still holds. */
export function settleClaimed(
  tx: TenantTx,
  ids: Id<'notification'>[],
  leaseToken: string,
  settled: Settled,
  now: Date,
): Promise<number> {
  const waits = settled.state === 'pending'
  return tx.run(sql`
    update notifications set status = ${waits ? 'pending' : 'sent'}, given_up = ${settled.state === 'given_up'},
      attempts = ${settled.attempts}, next_attempt_at = ${waits ? settled.at : null}, lease_token = null,
      sent_at = ${waits ? null : now}
    where tenant_id = ${tx.tenantId} and id = any(${ids}::uuid[]) and lease_token = ${leaseToken}`)
}

// Notifications of an anonymous survey show only the day.
function sentAt(now: Date): RawBuilder<unknown> {
  return sql`case when withheld then created_at else ${now}::timestamptz end`
}

export function updateSent(tx: TenantTx, ids: Id<'notification'>[], now: Date): Promise<number> {
  return tx.run(sql`
    update notifications set status = 'sent', sent_at = ${sentAt(now)}, next_attempt_at = null where tenant_id = ${tx.tenantId} and id = any(${ids}::uuid[])`)
}

/** Gives up what a disabled channel still had to send. */
export function failUnsent(tx: TenantTx, subscriptionId: Id<'notificationSubscription'>, now: Date): Promise<number> {
  return tx.run(sql`
    update notifications set status = 'sent', given_up = true, sent_at = ${sentAt(now)}, next_attempt_at = null, lease_token = null
    where tenant_id = ${tx.tenantId} and subscription_id = ${subscriptionId} and status = 'pending'`)
}

/** Removes what a deleted subscription still had to send. */
export function deleteUnsent(tx: TenantTx, subscriptionId: Id<'notificationSubscription'>): Promise<number> {
  return tx.run(sql`
    delete from notifications
    where tenant_id = ${tx.tenantId} and subscription_id = ${subscriptionId} and status = 'pending' and channel <> 'console'`)
}

export function listNotifications(
  tx: ReadTx,
  userId: Id<'user'>,
  unreadOnly: boolean,
  page: PageRequest,
): Promise<NotificationRow[]> {
  return tx.many(sql<NotificationRow>`
    select ${COLUMNS} from (
      select * from notifications
      where tenant_id = ${tx.tenantId} and ${conditionOf(userId, unreadOnly)} and ${page.before ? sql`id < ${page.before}` : sql`true`}
      order by id desc limit ${page.limit + 1}) n
    left join lateral (select source from events where tenant_id = ${tx.tenantId} and id = n.event_id offset 0) v on true
    order by n.id desc`)
}

/** The notifications of a member as a condition. */
export function conditionOf(userId: Id<'user'>, unreadOnly: boolean): RawBuilder<unknown> {
  return sql`user_id = ${userId} and ${unreadOnly ? sql`read_at is null` : sql`true`}`
}

/** Marks notifications of a member as read. @returns those that were not. */
export async function markRead(
  tx: TenantTx,
  userId: Id<'user'>,
  ids: Id<'notification'>[],
  now: Date,
): Promise<Id<'notification'>[]> {
  const rows = await tx.many(sql<{ id: Id<'notification'> }>`
    update notifications set read_at = ${now}
    where tenant_id = ${tx.tenantId} and user_id = ${userId} and id = any(${ids}::uuid[]) and read_at is null
    returning id`)
  return rows.map(({ id }) => id)
}

/** Some notifications of a member that are not read, the oldest first. */
export async function listUnread(
  tx: ReadTx,
  userId: Id<'user'>,
  after: Id<'notification'> | null,
  limit: number,
): Promise<Id<'notification'>[]> {
  const rows = await tx.many(sql<{ id: Id<'notification'> }>`
    select id from notifications
    where tenant_id = ${tx.tenantId} and ${conditionOf(userId, true)} and ${after ? sql`id > ${after}` : sql`true`}
    order by id limit ${limit}`)
  return rows.map(({ id }) => id)
}

export async function countUnread(tx: ReadTx, userId: Id<'user'>): Promise<number> {
  const { count } = await tx.one(sql<{ count: number }>`
    select count(*)::int as count from notifications where tenant_id = ${tx.tenantId} and user_id = ${userId} and read_at is null`)
  return count
}

export function listBacklog(tx: SystemTx): Promise<BacklogRow[]> {
  return tx.many(backlogOf('notifications', sql`next_attempt_at is not null`, sql`next_attempt_at`))
}

/** Notifications of these events that a chat has: copies that left the server. */
export function listChatCopies(
  tx: ReadTx,
  eventIds: string[],
): Promise<Array<{ channel: 'slack' | 'teams'; host: string | null; at: Date }>> {
  return tx.many(sql<{ channel: 'slack' | 'teams'; host: string | null; at: Date }>`
    select n.channel, s.target_host as host, n.sent_at as at from notifications n
    left join notification_subscriptions s on s.tenant_id = ${tx.tenantId} and s.id = n.subscription_id
    where n.tenant_id = ${tx.tenantId} and n.event_id = any(${eventIds}::uuid[]) and n.channel in ('slack', 'teams')
      and n.status = 'sent' and not n.given_up and not n.withheld`)
}
