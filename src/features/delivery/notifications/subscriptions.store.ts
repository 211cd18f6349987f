import { type ReadTx, sql, type TenantTx } from '../../../platform/database.ts'
import type { Id } from '../../../platform/ids.ts'
import type { PageRequest } from '../../../platform/page.ts'

export interface SubscriptionRow {
  id: Id<'notificationSubscription'>
  user_id: Id<'user'>
  event: string
  channel: 'email' | 'console'
  survey_ids: Id<'survey'>[]
  created_at: Date
}

const COLUMNS = sql.raw('id, user_id, event, channel, survey_ids, created_at')

/** The subscriptions to events of these types. An empty `survey_ids` means every survey. */
export function listSubscribers(tx: ReadTx, events: string[]): Promise<SubscriptionRow[]> {
  return tx.prepared<SubscriptionRow>({
    name: 'list-notification-subscribers',
    text: `select s.* from unnest($2::text[]) as given (event) cross join lateral (
       select id, user_id, event, channel, survey_ids, created_at from notification_subscriptions where tenant_id = $1 and event = given.event offset 0) s`,
    values: [tx.tenantId, events],
  })
}

export function listSubscriptions(tx: ReadTx, userId: Id<'user'>, page: PageRequest): Promise<SubscriptionRow[]> {
  return tx.many(sql<SubscriptionRow>`
    select ${COLUMNS} from notification_subscriptions
    where tenant_id = ${tx.tenantId} and user_id = ${userId} and ${page.before ? sql`id < ${page.before}` : sql`true`}
    order by id desc limit ${page.limit + 1}`)
}

export function insertSubscription(tx: TenantTx, row: SubscriptionRow): Promise<SubscriptionRow> {
  return tx.one(sql<SubscriptionRow>`
    insert into notification_subscriptions (tenant_id, id, user_id, event, channel, survey_ids, created_at)
    values (${tx.tenantId}, ${row.id}, ${row.user_id}, ${row.event}, ${row.channel}, ${row.survey_ids}::uuid[], ${row.created_at})
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
