import type { TenantTx } from '../../../platform/database/database.ts'
import type { Scope } from '../../../platform/scope.ts'
import { readSubscribedMembers, stageNotifications } from '../notifications/staging.service.ts'
import { stageDeliveriesNow } from '../webhooks/staging/staging.service.ts'
import { readSubscribers as readWebhooks } from '../webhooks/staging/subscribers.service.ts'
import { insertEvents } from './bulk-events.store.ts'
import type { NewEvent } from './event-types.ts'
import { newEventId } from './events.service.ts'

/** `stageEvent` for many events. @returns the number of enqueued deliveries. */
export async function stageEvents(scope: Scope, tx: TenantTx, events: NewEvent[]): Promise<{ enqueued: number }> {
  if (events.length === 0) return { enqueued: 0 }
  const now = scope.clock.now()
  const rows = events.map((event) => ({
    ...event,
    id: newEventId(event),
    data: JSON.stringify(event.data),
    createdAt: event.at ?? now,
  }))
  const [inserted, webhooks, members] = await Promise.all([
    insertEvents(tx, rows),
    readWebhooks(scope, tx),
    readSubscribedMembers(tx, [...new Set(rows.map(({ type }) => type))]),
  ])
  const staged = await Promise.all(
    rows
      .filter(({ id }) => inserted.has(id))
      .map(({ id, type, surveyId, data, createdAt, at = null, about = null }) => {
        const event = { id, type, surveyId, content: { data, createdAt }, day: at }
        stageNotifications(scope, tx, { ...event, at, about }, members)
        return stageDeliveriesNow(scope, tx, event, webhooks)
      }),
  )
  return { enqueued: staged.reduce((sum, { enqueued }) => sum + enqueued, 0) }
}
