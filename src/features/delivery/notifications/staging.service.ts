import type { TenantTx } from '../../../platform/database/database.ts'
import { matches } from '../../../platform/filter/evaluate.ts'
import { formatId, newId, newIdAt, type Id } from '../../../platform/ids.ts'
import { startSlices } from '../../../platform/loop/turns.ts'
import type { Scope } from '../../../platform/scope.ts'
import { recordChanges } from '../../../platform/changes/changes.ts'
import { listenTo, type Listener } from '../../../platform/work/listeners.ts'
import { OPENED } from '../../surveys/surveys/lifecycle.service.ts'
import { EVENT_TYPES } from '../events/event-types.ts'
import type { StoredEvent } from '../events/events.service.ts'
import { STAGED } from '../publishing/publishing.service.ts'
import { insertNotifications, type NewNotification } from './notifications.store.ts'
import { listSubscribers, type Subscriber } from './subscriptions.store.ts'

/** The wake topic of the notification worker. */
export const NOTIFICATIONS = 'notifications'

const DAY_MS = 86_400_000

/** Notifies the members who subscribed to an event. */
export const onStaged: Listener[] = EVENT_TYPES.map((type) =>
  listenTo(STAGED[type], async (scope, tx) => {
    const members = await listSubscribers(tx, type)
    return { handle: (event) => stageNotifications(scope, tx, event, members) }
  }),
)

/** Counts the subscriptions of members to the completed responses of a survey. */
export const onOpened: Listener = listenTo(OPENED, async (_scope, tx) => {
  const members = await listSubscribers(tx, 'response.completed')
  return {
    async handle({ surveyId, notified }) {
      notified.members = members.filter((member) => takesSurvey(member, surveyId)).length
    },
  }
})

/**
 * Stages one row for each subscribed member with the COMMIT of the event: both commit or neither does. The worker is
 * only woken.
 */
async function stageNotifications(
  scope: Scope,
  tx: TenantTx,
  event: StoredEvent,
  members: Subscriber[],
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
function takes(member: Subscriber, { surveyId, about, at }: StoredEvent, now: Date): boolean {
  if (!takesSurvey(member, surveyId)) return false
  const { filter } = member
  return filter === null || (about !== null && at === null && matches('responses', filter, about, now))
}

function takesSurvey({ survey_ids, enabled }: Subscriber, surveyId: Id<'survey'> | null): boolean {
  return enabled && (survey_ids.length === 0 || (surveyId !== null && survey_ids.includes(surveyId)))
}

/** Null waits for the digest. An anonymous survey waits for the next day, so that no message shows the moment. */
function dueAt({ channel, digest }: Subscriber, { at }: StoredEvent, now: Date): Date | null {
  if (channel === 'console') return now
  if (digest !== 'at_once') return null
  return at ? new Date(at.getTime() + DAY_MS) : now
}
