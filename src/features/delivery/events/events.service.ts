import type { TenantTx } from '../../../platform/database/database.ts'
import { newId, newIdAt, type Id } from '../../../platform/ids.ts'
import type { Scope } from '../../../platform/scope.ts'
import { stageNotifications } from '../notifications/staging.service.ts'
import { eraseAnswers } from '../webhooks/log/receivers.service.ts'
import { supersedeAttempts } from '../webhooks/registration/webhook-state.service.ts'
import { stageDeliveries } from '../webhooks/staging/staging.service.ts'
import type { NewEvent } from './event-types.ts'
import { CATALOGUE } from './events.schema.ts'
import * as store from './events.store.ts'
import { readSubscribers, type Subscribers } from './subscribers.service.ts'

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
  // An anonymous survey's event shares no trace with the request of its respondent.
  const isTraced = scope.tracing !== null && !event.at
  const id = (isTraced ? scope.tracing?.eventId() : null) ?? newEventId(event)
  const row = {
    id,
    type: event.type,
    survey_id: event.surveyId,
    source: event.source,
    data: JSON.stringify(event.data),
    created_at: event.at ?? scope.clock.now(),
  }
  const { webhooks, members } = subscribers ?? (await readSubscribers(scope, tx, event.type))
  const others = { ...webhooks, subscribers: webhooks.subscribers.filter((webhook) => webhook.id !== event.except) }
  const staged = {
    id,
    type: event.type,
    surveyId: event.surveyId,
    day: event.at ?? null,
    content: { data: row.data, createdAt: row.created_at },
  }
  tx.atCommit(store.insertEvent(tx, row))
  if (isTraced) scope.tracing?.staged({ id, type: event.type })
  stageNotifications(scope, tx, { ...staged, at: event.at ?? null, about: event.about ?? null }, members)
  return stageDeliveries(scope, tx, staged, others)
}

/** Removes respondents' words from the events of responses, and from what receivers answered to them. */
export async function eraseEventsOfResponses(tx: TenantTx, ids: Id<'response'>[]): Promise<void> {
  await eraseEventsOf(
    tx,
    ids.map((id) => `response:${id}:`),
  )
}

/** The same for events whose sources begin so. */
export async function eraseEventsOf(tx: TenantTx, beginnings: string[]): Promise<void> {
  const erased = (await Promise.all(beginnings.map((each) => store.eraseContent(tx, each)))).flat()
  if (erased.length === 0) return
  // A worker may hold the old content. Its attempt is recorded without an answer, and a retry has the new content.
  await supersedeAttempts(tx, erased)
  await eraseAnswers(tx, erased)
}

/** Returns the event of a cause, and inserts it if it is missing. A backfill sends it again. */
export async function ensureEvent(scope: Scope, tx: TenantTx, event: NewEvent): Promise<Id<'event'>> {
  const id = newEventId(event)
  const row = {
    id,
    type: event.type,
    survey_id: event.surveyId,
    source: event.source,
    data: JSON.stringify(event.data),
    created_at: event.at ?? scope.clock.now(),
  }
  const inserted = await tx.prepared(store.insertEvent(tx, row))
  if (inserted.length > 0) return id
  const known = await store.findEventOf(tx, event.source, event.type)
  if (!known) throw new Error('an event of this source exists but was not found')
  return known.id
}

/** An id begins with its moment, which is not told of an anonymous survey. */
export function newEventId({ at }: NewEvent): Id<'event'> {
  return at ? newIdAt('event', at) : newId('event')
}

/** Writes the catalogue's example as an event of its own. Null for an unknown name. */
export async function insertExample(
  scope: Scope,
  tx: TenantTx,
  type: string,
): Promise<{ id: Id<'event'>; type: string; surveyId: null; content: { data: string; createdAt: Date } } | null> {
  const entry = CATALOGUE.find((known) => known.name === type)
  if (!entry) return null
  const [id, createdAt] = [newId('event'), scope.clock.now()]
  const data = JSON.stringify(entry.example.data)
  const row = { id, type, survey_id: null, source: `test:${id}`, data, created_at: createdAt }
  await tx.prepared(store.insertEvent(tx, row))
  return { id, type, surveyId: null, content: { data, createdAt } }
}

/** The catalogue's example of an event as a request body. Null for an unknown name. */
export function exampleBody(type: string): string | null {
  const entry = CATALOGUE.find((known) => known.name === type)
  return entry ? JSON.stringify(entry.example) : null
}
