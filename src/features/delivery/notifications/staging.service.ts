import type { TenantTx } from '../../../platform/database/database.ts'
import { matches } from '../../../platform/filter/evaluate.ts'
import { formatId, newId, newIdAt } from '../../../platform/ids.ts'
import { startSlices } from '../../../platform/loop/turns.ts'
import type { Scope } from '../../../platform/scope.ts'
import { insertNotifications, type NewNotification, type StagedEvent } from './notifications.store.ts'
import { type Subscriber } from './subscriptions.store.ts'
import { recordChanges } from '../../../platform/changes/changes.ts'

// Other features run these statements as they are.
export { listSubscribers as readSubscribedMembers } from './subscriptions.store.ts'

/** The wake topic of the notification worker. */
export const NOTIFICATIONS = 'notifications'

const DAY_MS = 86_400_000

export type SubscribedMembers = Subscriber[]

/** An event as members hear of it. */
export interface Payload extends StagedEvent {
  /** When it happened, where that is less exact than now: it comes from an anonymous survey. */
  at: Date | null
  /** The response as a row, for filters. */
  about: object | null
}

/**
 * Stages one row for each subscribed member with the COMMIT of the event: both commit or neither does. The worker is
 * only woken.
 */
export async function stageNotifications(
  scope: Scope,
  tx: TenantTx,
  event: Payload,
  members: SubscribedMembers,
): Promise<void> {
  const now = scope.clock.now()
  const slices = startSlices()
  const takers: Subscriber[] = []
  for (const member of members) {
    // A long answer may meet a thousand filters.
    if (slices.isOver()) await slices.next()
    if (takes(member, event, now)) takers.push(member)
  }
  const rows = takers.map((member): NewNotification => ({
    // An id begins with its moment, which an anonymous survey does not tell.
    id: event.at ? newIdAt('notification', event.at) : newId('notification'),
    subscriptionId: member.id,
    userId: member.user_id,
    channel: member.channel,
    dueAt: dueAt(member, event, now),
  }))
  if (rows.length === 0) return
  tx.atCommit(insertNotifications(tx, event, rows, { at: event.at ?? now, withheld: event.at !== null }))
  if (!event.at)
    recordChanges(
      scope,
      tx,
      rows.map(({ id, userId }) => ({
        topic: 'notifications',
        type: 'created',
        objectId: formatId('notification', id),
        userId,
      })),
    )
  if (rows.some(({ dueAt: at }) => at && at <= now))
    scope.wakeAfter(tx, NOTIFICATIONS, { group: NOTIFICATIONS, ids: [] })
}

// A filter would tell what one person of an anonymous survey answered.
function takes({ event: type, survey_ids, enabled, filter }: Subscriber, event: Payload, now: Date): boolean {
  if (type !== event.type || !enabled) return false
  if (survey_ids.length > 0 && (event.surveyId === null || !survey_ids.includes(event.surveyId))) return false
  return (
    filter === null || (event.about !== null && event.at === null && matches('responses', filter, event.about, now))
  )
}

/** Null waits for the digest. An anonymous survey waits for the next day, so that no message shows the moment. */
function dueAt({ channel, digest }: Subscriber, { at }: Payload, now: Date): Date | null {
  if (channel === 'console') return now
  if (digest !== 'at_once') return null
  return at ? new Date(at.getTime() + DAY_MS) : now
}
