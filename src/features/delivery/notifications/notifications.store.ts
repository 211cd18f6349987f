import { backlogOf, type BacklogRow } from '../../../platform/backlog.ts'
import { type ReadTx, sql, type SystemTx, type TenantTx, type Statement } from '../../../platform/database.ts'
import type { Id } from '../../../platform/ids.ts'
import type { PageRequest } from '../../../platform/page.ts'

export interface NotificationRow {
  id: Id<'notification'>
  channel: 'email' | 'console'
  event: string
  survey_id: Id<'survey'> | null
  status: 'pending' | 'sent'
  created_at: Date
  sent_at: Date | null
  read_at: Date | null
}

export interface StagedEvent {
  id: Id<'event'>
  type: string
  surveyId: Id<'survey'> | null
}

const COLUMNS = sql.raw('id, channel, event, survey_id, status, created_at, sent_at, read_at')

export interface NewNotification {
  id: Id<'notification'>
  subscriptionId: Id<'notificationSubscription'>
  userId: Id<'user'>
  channel: 'email' | 'console'
}

const INSERT = `
  insert into notifications as x (tenant_id, id, subscription_id, user_id, channel, event_id, event, survey_id, status, next_attempt_at, created_at)
  select e.tenant_id, given.id, given.subscription_id, given.user_id, given.channel, $2::uuid, $3::text, $4::uuid, 'pending', $5::timestamptz, $5::timestamptz
  from unnest($6::uuid[], $7::uuid[], $8::uuid[], $9::text[]) as given(id, subscription_id, user_id, channel)
  cross join lateral (select tenant_id from events where tenant_id = $1 and id = $2 offset 0) e
  on conflict (tenant_id, subscription_id, event_id) do nothing
  returning x.id`

/** Runs after the event is written. An event that already existed notifies nobody, so nobody is notified twice. */
export function insertNotifications(tx: TenantTx, event: StagedEvent, rows: NewNotification[], now: Date): Statement {
  return {
    name: 'insert-notifications',
    text: INSERT,
    values: [
      tx.tenantId,
      event.id,
      event.type,
      event.surveyId,
      now,
      rows.map(({ id }) => id),
      rows.map(({ subscriptionId }) => subscriptionId),
      rows.map(({ userId }) => userId),
      rows.map(({ channel }) => channel),
    ],
  }
}

export interface DueNotification {
  id: Id<'notification'>
  user_id: Id<'user'>
  channel: 'email' | 'console'
  event: string
  survey_id: Id<'survey'> | null
  created_at: Date
}

/** Locked until the sending transaction ends. Skips those that another worker sends. */
export function lockDue(tx: TenantTx, now: Date, limit: number): Promise<DueNotification[]> {
  return tx.many(sql<DueNotification>`
    select id, user_id, channel, event, survey_id, created_at from notifications
    where tenant_id = ${tx.tenantId} and next_attempt_at <= ${now}
    order by next_attempt_at, id limit ${limit} for update skip locked`)
}

export function updateSent(tx: TenantTx, ids: Id<'notification'>[], now: Date): Promise<number> {
  return tx.run(sql`
    update notifications set status = 'sent', sent_at = ${now}, next_attempt_at = null where tenant_id = ${tx.tenantId} and id = any(${ids}::uuid[])`)
}

export function listNotifications(
  tx: ReadTx,
  userId: Id<'user'>,
  unreadOnly: boolean,
  page: PageRequest,
): Promise<NotificationRow[]> {
  return tx.many(sql<NotificationRow>`
    select ${COLUMNS} from notifications
    where tenant_id = ${tx.tenantId} and user_id = ${userId} and ${unreadOnly ? sql`read_at is null` : sql`true`} and ${page.before ? sql`id < ${page.before}` : sql`true`}
    order by id desc limit ${page.limit + 1}`)
}

/** Marks listed notifications as read, so that the next list shows the new ones. */
export function markRead(tx: TenantTx, userId: Id<'user'>, ids: Id<'notification'>[], now: Date): Promise<number> {
  return tx.run(sql`
    update notifications set read_at = ${now}
    where tenant_id = ${tx.tenantId} and user_id = ${userId} and id = any(${ids}::uuid[]) and read_at is null`)
}

export async function countUnread(tx: ReadTx, userId: Id<'user'>): Promise<number> {
  const { count } = await tx.one(sql<{ count: number }>`
    select count(*)::int as count from notifications where tenant_id = ${tx.tenantId} and user_id = ${userId} and read_at is null`)
  return count
}

export function listBacklog(tx: SystemTx): Promise<BacklogRow[]> {
  return tx.many(backlogOf('notifications', sql`next_attempt_at is not null`, sql`next_attempt_at`))
}
