import type { TenantTx } from '../../../platform/database.ts'
import { newId } from '../../../platform/ids.ts'
import type { Scope } from '../../../platform/scope.ts'
import { insertNotifications, type NewNotification, type StagedEvent } from './notifications.store.ts'
import { listSubscribers, type SubscriptionRow } from './subscriptions.store.ts'

/** The wake topic of the notification worker. */
export const NOTIFICATIONS = 'notifications'

export type SubscribedMembers = SubscriptionRow[]

/** The subscriptions of members to events of some types. */
export function readSubscribedMembers(tx: TenantTx, types: string[]): Promise<SubscribedMembers> {
  return listSubscribers(tx, types)
}

/**
 * Stages one row for each subscribed member with the COMMIT of the event: both commit or neither does. The worker is
 * only woken.
 */
export function stageNotifications(scope: Scope, tx: TenantTx, event: StagedEvent, members: SubscribedMembers): void {
  const rows = members
    .filter(
      ({ event: type, survey_ids }) =>
        type === event.type &&
        (survey_ids.length === 0 || (event.surveyId !== null && survey_ids.includes(event.surveyId))),
    )
    .map(({ id, user_id, channel }): NewNotification => ({
      id: newId('notification'),
      subscriptionId: id,
      userId: user_id,
      channel,
    }))
  if (rows.length === 0) return
  tx.atCommit(insertNotifications(tx, event, rows, scope.clock.now()))
  scope.wakeAfter(tx, NOTIFICATIONS, { group: NOTIFICATIONS, ids: [] })
}
