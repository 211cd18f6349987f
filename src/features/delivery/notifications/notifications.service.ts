import type { z } from 'zod'
import { presentPage, type PageRequest } from '../../../http/routes/pagination.ts'
import { countIfAsked } from '../../../platform/fields/counting.ts'
import type { ReadTx, TenantTx } from '../../../platform/database/database.ts'
import { formatId, parseId, type Id } from '../../../platform/ids.ts'
import type { Scope } from '../../../platform/scope.ts'
import { subjectOf } from '../events/subjects.ts'
import type {
  Notification,
  NotificationList,
  NotificationQuery,
  NotificationsRead,
  ReadNotifications,
} from './notifications.schema.ts'
import * as store from './notifications.store.ts'
import { requireMember } from './subscriptions.service.ts'
import { recordChanges } from '../../../platform/changes/changes.ts'

// One transaction marks this many.
const SLICE = 500

/** A page of the caller's own notifications, newest first. Listing marks them as read, peeking does not. */
export async function listNotifications(
  scope: Scope,
  query: z.output<typeof NotificationQuery>,
  page: PageRequest,
): Promise<z.input<typeof NotificationList>> {
  const userId = requireMember(scope)
  const unreadOnly = query.unread === 'true'
  const counted = await countIfAsked(scope, query, {
    table: 'notifications',
    alias: 'n',
    matching: () => store.conditionOf(userId, unreadOnly),
    all: () => store.conditionOf(userId, false),
  })
  const list = async (tx: ReadTx) => store.listNotifications(tx, userId, unreadOnly, page)
  const { rows, unread } =
    query.peek === 'true'
      ? await scope.read(async (tx) => ({ rows: await list(tx), unread: await store.countUnread(tx, userId) }))
      : await scope.tx(async (tx) => {
          const rows = await list(tx)
          const shown = rows.slice(0, page.limit).filter((row) => row.read_at === null)
          await mark(
            scope,
            tx,
            userId,
            shown.map(({ id }) => id),
          )
          return { rows, unread: await store.countUnread(tx, userId) }
        })
  return { ...presentPage(rows, page, present), unread, ...counted }
}

/** Marks the caller's own notifications as read. Others among the ids change nothing. */
export async function readNotifications(
  scope: Scope,
  wish: z.output<typeof ReadNotifications>,
): Promise<z.input<typeof NotificationsRead>> {
  const userId = requireMember(scope)
  if ('ids' in wish) {
    const ids = wish.ids.flatMap((text) => parseId('notification', text) ?? [])
    return { read: await scope.tx((tx) => mark(scope, tx, userId, ids)) }
  }
  let read = 0
  let after: Id<'notification'> | null = null
  for (;;) {
    const ids: Id<'notification'>[] = await scope.read((tx) => store.listUnread(tx, userId, after, SLICE))
    read += await scope.tx((tx) => mark(scope, tx, userId, ids))
    after = ids.at(-1) ?? null
    if (ids.length < SLICE) return { read }
  }
}

async function mark(scope: Scope, tx: TenantTx, userId: Id<'user'>, ids: Id<'notification'>[]): Promise<number> {
  if (ids.length === 0) return 0
  const read = await store.markRead(tx, userId, ids, scope.clock.now())
  recordChanges(
    scope,
    tx,
    read.map((id) => ({ topic: 'notifications', type: 'updated', objectId: formatId('notification', id), userId })),
  )
  return read.length
}

function present(row: store.NotificationRow): z.input<typeof Notification> {
  return {
    id: formatId('notification', row.id),
    event: row.event as z.input<typeof Notification>['event'],
    survey_id: row.survey_id && formatId('survey', row.survey_id),
    channel: row.channel,
    status: row.given_up ? 'failed' : row.status,
    created_at: row.created_at.toISOString(),
    sent_at: row.given_up ? null : (row.sent_at?.toISOString() ?? null),
    read_at: row.read_at?.toISOString() ?? null,
    subject: row.withheld ? null : subjectOf(row.event, row.source, row.survey_id),
  }
}
