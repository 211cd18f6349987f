import type { TenantTx } from '../../../platform/database/database.ts'
import { signalOf, type Handler, type Scope, type Signal } from '../../../platform/scope.ts'
import { EVENT_TYPES, type EventType, type NewEvent } from '../events/event-types.ts'
import { insertAtCommit, insertMany, type StoredEvent } from '../events/events.service.ts'
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

/**
 * Events are stored, or will be with the COMMIT. Each type has its signal, so that a listener reads only who takes it.
 */
export const STAGED = Object.fromEntries(EVENT_TYPES.map((type) => [type, signalOf(`${type}.staged`)])) as Record<
  EventType,
  Signal<StoredEvent>
>

/** The subscribers to events of one type. */
export interface Subscribers {
  webhooks: Webhooks
  listeners: Handler<StoredEvent>
}

/** For work that makes no event. */
export const NOBODY: Subscribers = { webhooks: NO_SUBSCRIBERS, listeners: { handle: async () => {} } }

/** Reads both together, because a respondent waits for each round trip. */
export async function readSubscribers(scope: Scope, tx: TenantTx, type: EventType): Promise<Subscribers> {
  const [webhooks, listeners] = await Promise.all([
    readWebhooks(scope, tx),
    scope.signals.listen(STAGED[type], scope, tx),
  ])
  return { webhooks, listeners }
}

/**
 * Stages an event with the COMMIT of its cause: the event, a delivery for each subscribed webhook and what listeners
 * add. All commit or none. A second event of the same source is dropped.
 * @param subscribers if this transaction has already read them.
 * @returns the number of deliveries, known after the commit.
 */
export async function stageEvent(
  scope: Scope,
  tx: TenantTx,
  event: NewEvent,
  subscribers?: Subscribers,
): Promise<{ enqueued: number }> {
  const { webhooks, listeners } = subscribers ?? (await readSubscribers(scope, tx, event.type))
  const others = { ...webhooks, subscribers: webhooks.subscribers.filter((webhook) => webhook.id !== event.except) }
  const inserted = insertAtCommit(scope, tx, event)
  await listeners.handle(inserted)
  return stageDeliveries(scope, tx, { ...inserted, day: inserted.at }, others)
}

/** `stageEvent` for many events. @returns the number of enqueued deliveries. */
export async function stageEvents(scope: Scope, tx: TenantTx, events: NewEvent[]): Promise<{ enqueued: number }> {
  if (events.length === 0) return { enqueued: 0 }
  const types = [...new Set(events.map(({ type }) => type))]
  const [inserted, webhooks, listeners] = await Promise.all([
    insertMany(scope, tx, events),
    readWebhooks(scope, tx),
    Promise.all(types.map(async (type) => [type, await scope.signals.listen(STAGED[type], scope, tx)] as const)),
  ])
  const listenersOf = new Map<string, Handler<StoredEvent>>(listeners)
  const staged = await Promise.all(
    inserted.map(async (event) => {
      await listenersOf.get(event.type)?.handle(event)
      return stageDeliveriesNow(scope, tx, { ...event, day: event.at }, webhooks)
    }),
  )
  return { enqueued: staged.reduce((sum, { enqueued }) => sum + enqueued, 0) }
}

/** Stages the event for the others. They are read after the change, not before it. */
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

/** Counts the webhooks that get the completed responses of a survey. */
export const onOpened: Listener = listenTo(OPENED, async (scope, tx) => {
  const { subscribers } = await readWebhooks(scope, tx)
  return {
    async handle({ surveyId, notified }) {
      const event = { type: 'response.completed', surveyId }
      notified.webhooks = subscribers.filter((webhook) => webhook.enabled && matches(webhook, event)).length
    },
  }
})
