import type { TenantTx } from '../../../platform/database/database.ts'
import type { Scope } from '../../../platform/scope.ts'
import type { EventType, NewEvent } from '../events/event-types.ts'
import { insertAtCommit, insertMany } from '../events/events.service.ts'
import { readSubscribedMembers, stageNotifications, type SubscribedMembers } from '../notifications/staging.service.ts'
import { stageDeliveries, stageDeliveriesNow } from '../webhooks/staging/staging.service.ts'
import {
  NO_SUBSCRIBERS,
  readSubscribers as readWebhooks,
  type Subscribers as Webhooks,
} from '../webhooks/staging/subscribers.service.ts'
import { formatId } from '../../../platform/ids.ts'
import { listenTo, type Listener } from '../../../platform/work/listeners.ts'
import { DISABLED } from '../webhooks/engine/disabling.service.ts'
import { OPENED } from '../../surveys/surveys/lifecycle.service.ts'
import { matches } from '../webhooks/registration/subscription.ts'

/** The subscribers to events of one type. */
export interface Subscribers {
  webhooks: Webhooks
  members: SubscribedMembers
}

/** For work that makes no event. */
export const NOBODY: Subscribers = { webhooks: NO_SUBSCRIBERS, members: [] }

/** Reads both together, because a respondent waits for each round trip. */
export async function readSubscribers(scope: Scope, tx: TenantTx, type: EventType): Promise<Subscribers> {
  const [webhooks, members] = await Promise.all([readWebhooks(scope, tx), readSubscribedMembers(tx, [type])])
  return { webhooks, members }
}

/**
 * Stages an event with the COMMIT of its cause: the event, a delivery for each subscribed webhook and a notification
 * for each subscribed member. All commit or none. A second event of the same source is dropped.
 * @param subscribers if this transaction has already read them.
 * @returns the number of deliveries, known after the commit.
 */
export async function stageEvent(
  scope: Scope,
  tx: TenantTx,
  event: NewEvent,
  subscribers?: Subscribers,
): Promise<{ enqueued: number }> {
  const { webhooks, members } = subscribers ?? (await readSubscribers(scope, tx, event.type))
  const others = { ...webhooks, subscribers: webhooks.subscribers.filter((webhook) => webhook.id !== event.except) }
  const inserted = insertAtCommit(scope, tx, event)
  await stageNotifications(scope, tx, inserted, members)
  return stageDeliveries(scope, tx, { ...inserted, day: inserted.at }, others)
}

/** `stageEvent` for many events. @returns the number of enqueued deliveries. */
export async function stageEvents(scope: Scope, tx: TenantTx, events: NewEvent[]): Promise<{ enqueued: number }> {
  if (events.length === 0) return { enqueued: 0 }
  const [inserted, webhooks, members] = await Promise.all([
    insertMany(scope, tx, events),
    readWebhooks(scope, tx),
    readSubscribedMembers(tx, [...new Set(events.map(({ type }) => type))]),
  ])
  const staged = await Promise.all(
    inserted.map(async (event) => {
      await stageNotifications(scope, tx, event, members)
      return stageDeliveriesNow(scope, tx, { ...event, day: event.at }, webhooks)
    }),
  )
  return { enqueued: staged.reduce((sum, { enqueued }) => sum + enqueued, 0) }
}

/** Stages the event for the other webhooks and the members. They are read after the change, not before it. */
export const onDisabled: Listener = listenTo(DISABLED, async (scope, tx) => ({
  async handle({ id, reason, at }) {
    await stageEvent(scope, tx, {
      type: 'webhook.disabled',
      surveyId: null,
      source: `webhook:${id}:disabled:${at.toISOString()}`,
      data: { webhookId: formatId('webhook', id), reason, disabledAt: at.toISOString() },
      except: id,
    })
  },
}))

const TYPE = 'response.completed'

/** Counts the webhooks and members that will hear of the completed responses of a survey. */
export const onOpened: Listener = listenTo(OPENED, async (scope, tx) => {
  const { webhooks, members } = await readSubscribers(scope, tx, TYPE)
  return {
    async handle({ surveyId, notified }) {
      const takes = (events: string[], survey_ids: string[]) =>
        matches({ events, survey_ids }, { type: TYPE, surveyId })
      notified.webhooks = webhooks.subscribers.filter(
        (each) => each.enabled && takes(each.events, each.survey_ids),
      ).length
      notified.members = members.filter((each) => each.enabled && takes([each.event], each.survey_ids)).length
    },
  }
})
