import type { TenantTx } from '../../platform/database.ts'
import { newId, type Id } from '../../platform/ids.ts'
import type { Scope } from '../../platform/scope.ts'
import { readSubscribers, stageDeliveries } from '../webhooks/deliveries.service.ts'
import type { NewEvent } from './event-types.ts'
import { CATALOGUE } from './events.schema.ts'
import * as store from './events.store.ts'

/**
 * Writes an event and one delivery row for each webhook that subscribes to it, in the transaction of
 * its cause: both commit or neither does. A second event of the same source is not written.
 * @returns how many deliveries were enqueued.
 */
export async function stageEvent(scope: Scope, tx: TenantTx, event: NewEvent): Promise<{ enqueued: number }> {
  const id = newId('event')
  const row = { id, type: event.type, survey_id: event.surveyId, source: event.source, data: JSON.stringify(event.data), created_at: scope.clock.now() }
  // Asked for together: the respondent waits for each round trip.
  const [inserted, subscribers] = await Promise.all([store.insertEvent(tx, row), readSubscribers(tx)])
  if (!inserted) return { enqueued: 0 }
  const others = subscribers.filter((webhook) => webhook.id !== event.except)
  return stageDeliveries(scope, tx, { id, type: event.type, surveyId: event.surveyId }, others)
}

/** Takes what a respondent said out of a response's events: whatever is attempted from now on is sent without it. */
export async function eraseEventsOfResponse(tx: TenantTx, id: Id<'response'>): Promise<void> {
  await store.eraseContent(tx, `response:${id}:`)
}

/** The event of a cause, written now if it is not there: what a backfill sends again. */
export async function ensureEvent(scope: Scope, tx: TenantTx, event: NewEvent): Promise<Id<'event'>> {
  const id = newId('event')
  const inserted = await store.insertEvent(tx, {
    id,
    type: event.type,
    survey_id: event.surveyId,
    source: event.source,
    data: JSON.stringify(event.data),
    created_at: scope.clock.now(),
  })
  if (inserted) return id
  const known = await store.findEventOf(tx, event.source, event.type)
  if (!known) throw new Error('an event that exists was not found')
  return known.id
}

/** The catalogue's example of an event as a request body; null for an unknown name. */
export function exampleBody(type: string): string | null {
  const entry = CATALOGUE.find((known) => known.name === type)
  return entry ? JSON.stringify(entry.example) : null
}
