import type { ReadTx, TenantTx } from '../../../platform/database/database.ts'
import { newId, newIdAt, type Id } from '../../../platform/ids.ts'
import type { Scope } from '../../../platform/scope.ts'
import type { NewEvent } from './event-types.ts'
import * as store from './events.store.ts'
import { insertEvent } from './events.store.ts'
import { ownSubject, type Sought } from './subjects.ts'
import { CATALOGUE } from './events.schema.ts'

/** An event that is in its table, or will be with the COMMIT. */
export interface StoredEvent {
  id: Id<'event'>
  type: string
  surveyId: Id<'survey'> | null
  content: { data: string; createdAt: Date }
  at: Date | null
  about: object | null
}

/** Writes an event with the COMMIT of its cause, unless its source has one. */
export function insertAtCommit(scope: Scope, tx: TenantTx, event: NewEvent): StoredEvent {
  // An anonymous survey's event shares no trace with the request of its respondent.
  const isTraced = scope.tracing !== null && !event.at
  const id = (isTraced ? scope.tracing?.eventId() : null) ?? newEventId(event)
  const row = rowOf(scope, id, event)
  tx.atCommit(store.insertEvent(tx, row))
  if (isTraced) scope.tracing?.staged({ id, type: event.type })
  return storedOf(row, event)
}

/** Writes the events whose source has none yet, and returns them. */
export async function insertMany(scope: Scope, tx: TenantTx, events: NewEvent[]): Promise<StoredEvent[]> {
  const rows = events.map((event) => ({ event, row: rowOf(scope, newEventId(event), event) }))
  const inserted = await store.insertEvents(
    tx,
    rows.map(({ row }) => row),
  )
  return rows.filter(({ row }) => inserted.has(row.id)).map(({ event, row }) => storedOf(row, event))
}

/** Returns the event of a cause, and inserts it if it is missing. A backfill sends it again. */
export async function ensureEvent(scope: Scope, tx: TenantTx, event: NewEvent): Promise<Id<'event'>> {
  const id = newEventId(event)
  const inserted = await tx.prepared(store.insertEvent(tx, rowOf(scope, id, event)))
  if (inserted.length > 0) return id
  const known = await store.findEventOf(tx, event.source, event.type)
  if (!known) throw new Error('an event of this source exists but was not found')
  return known.id
}

/** A thing has few events. */
const MOST_ABOUT = 1_000

/** The newest events about a thing. */
export function listEventsAbout(tx: ReadTx, sought: Exclude<Sought, { surveyId: unknown }>): Promise<Id<'event'>[]> {
  return store.listAbout(tx, sought, MOST_ABOUT)
}

/** The `data` of some events as they are now, after any erasure. */
export async function readContents(
  tx: ReadTx,
  ids: Id<'event'>[],
): Promise<Map<Id<'event'>, { type: string; data: Record<string, unknown> }>> {
  if (ids.length === 0) return new Map()
  const rows = await store.listContents(tx, ids)
  return new Map(rows.map(({ id, type, data }) => [id, { type, data: JSON.parse(data) as Record<string, unknown> }]))
}

/** Removes respondents' words from the events whose sources begin so, and returns these events. */
export async function eraseContents(tx: TenantTx, beginnings: string[]): Promise<Id<'event'>[]> {
  return (await Promise.all(beginnings.map((each) => store.eraseContent(tx, each)))).flat()
}

/** An id begins with its moment, which is not told of an anonymous survey. */
function newEventId({ at }: NewEvent): Id<'event'> {
  return at ? newIdAt('event', at) : newId('event')
}

function rowOf(scope: Scope, id: Id<'event'>, { type, surveyId, source, data, at }: NewEvent): store.NewEventRow {
  return {
    id,
    type,
    survey_id: surveyId,
    source,
    data: JSON.stringify(data),
    created_at: at ?? scope.clock.now(),
    subject_id: ownSubject(source),
  }
}

function storedOf({ id, type, data, created_at }: store.NewEventRow, event: NewEvent): StoredEvent {
  const { surveyId, at = null, about = null } = event
  return { id, type, surveyId, content: { data, createdAt: created_at }, at, about }
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
  const row = { id, type, survey_id: null, source: `test:${id}`, data, created_at: createdAt, subject_id: null }
  await tx.prepared(insertEvent(tx, row))
  return { id, type, surveyId: null, content: { data, createdAt } }
}

/** The catalogue's example of an event as a request body. Null for an unknown name. */
export function exampleBody(type: string): string | null {
  const entry = CATALOGUE.find((known) => known.name === type)
  return entry ? JSON.stringify(entry.example) : null
}
