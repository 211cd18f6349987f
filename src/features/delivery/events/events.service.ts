import type { TenantTx } from '../../../platform/database.ts'
import { newId, type Id } from '../../../platform/ids.ts'
import type { Scope } from '../../../platform/scope.ts'
import { stageNotificationsAtCommit } from '../notifications/staging.service.ts'
import { stageDeliveriesAtCommit } from '../webhooks/staging/staging.service.ts'
import type { NewEvent } from './event-types.ts'
import { CATALOGUE } from './events.schema.ts'
import * as store from './events.store.ts'
import { readSubscribers, type Subscribers } from './subscribers.service.ts'

/**
 * Writes an event, one delivery row for each webhook and one notification for each member that subscribe to it, with the COMMIT of its
 * cause: all commit or none does. A second event of the same source is not written.
 * @param subscribers as read in this transaction, where they were asked for together with something else.
 * @returns how many deliveries were enqueued, known once the transaction has committed.
 */
export async function stageEvent(scope: Scope, tx: TenantTx, event: NewEvent, subscribers?: Subscribers): Promise<{ enqueued: number }> {
  const id = newId('event')
  const row = { id, type: event.type, survey_id: event.surveyId, source: event.source, data: JSON.stringify(event.data), created_at: scope.clock.now() }
  const { webhooks, members } = subscribers ?? (await readSubscribers(scope, tx, event.type))
  const others = { ...webhooks, subscribers: webhooks.subscribers.filter((webhook) => webhook.id !== event.except) }
  const staged = { id, type: event.type, surveyId: event.surveyId, content: { data: row.data, createdAt: row.created_at } }
  store.insertEventAtCommit(tx, row)
  stageNotificationsAtCommit(scope, tx, staged, members)
  return stageDeliveriesAtCommit(scope, tx, staged, others)
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
