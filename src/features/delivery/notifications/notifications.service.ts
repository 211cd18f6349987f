import type { z } from 'zod'
import { presentPage, type PageRequest } from '../../../http/routes/pagination.ts'
import type { BacklogRow } from '../../../platform/database/backlog.ts'
import { countIfAsked } from '../../../platform/fields/counting.ts'
import { formatId } from '../../../platform/ids.ts'
import type { Scope, SystemScope } from '../../../platform/scope.ts'
import type { Notification, NotificationList, NotificationQuery } from './notifications.schema.ts'
import * as store from './notifications.store.ts'
import { requireMember } from './subscriptions.service.ts'
import { recordChanges } from '../../../platform/changes/changes.ts'

/** A page of the caller's own notifications, newest first. Listing marks them as read. */
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
  const { rows, unread } = await scope.tx(async (tx) => {
    const rows = await store.listNotifications(tx, userId, unreadOnly, page)
    const shown = rows.slice(0, page.limit).filter((row) => row.read_at === null)
    await store.markRead(
      tx,
      userId,
      shown.map((row) => row.id),
      scope.clock.now(),
    )
    const read = shown.map(({ id }) => formatId('notification', id))
    recordChanges(
      scope,
      tx,
      read.map((objectId) => ({ topic: 'notifications', type: 'updated', objectId, userId })),
    )
    return { rows, unread: await store.countUnread(tx, userId) }
  })
  return { ...presentPage(rows, page, present), unread, ...counted }
}

/** Notifications that wait for the worker, in all workspaces. */
export function readNotificationBacklog(system: SystemScope): Promise<BacklogRow[]> {
  return system.tx(store.listBacklog)
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
  }
}
