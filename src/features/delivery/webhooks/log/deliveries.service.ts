import type { z } from 'zod'
import { presentPage, type PageRequest } from '../../../../http/routes/pagination.ts'
import { notFound } from '../../../../http/problems/problem.ts'
import type { ReadTx } from '../../../../platform/database/database.ts'
import { countIfAsked } from '../../../../platform/fields/counting.ts'
import { compileBeside, compileFilter } from '../../../../platform/filter/compile.ts'
import { formatId, parseId, type Id } from '../../../../platform/ids.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { listEventsAbout } from '../../events/events.service.ts'
import { soughtOf, subjectOf } from '../../events/subjects.ts'
import { renderBody, sha256, togglesOf } from '../engine/body.ts'
import { MAX_ATTEMPTS } from '../engine/delivery.ts'
import { findWebhook } from '../registration/webhook-state.service.ts'
import type { Delivery, DeliveryDetail, DeliveryList, DeliveriesQuery } from './deliveries.schema.ts'
import * as store from './deliveries.store.ts'
import { selectKeys } from './deliveries.store.ts'
import { deliveries, nextAttemptAt, TEST_SENDING, type DeliveryRow } from './delivery.entity.ts'
import { SPAN } from './ledger-counts.service.ts'
import * as ledger from './ledger-counts.store.ts'
import { coverOf, looksFor, type LedgerSpan, matchesNothing, type DeliveryFilter } from './ledger-cover.ts'
import { linesOf, type ExportSource } from '../../../../platform/export-source.ts'

type Presented = z.input<typeof Delivery>

/**
 * A page, newest first, and counts by state under the other filters, all of one moment. `failed` includes the
 * dead-lettered.
 */
export async function listDeliveries(
  scope: Scope,
  query: z.output<typeof DeliveriesQuery>,
  page: PageRequest,
): Promise<z.input<typeof DeliveryList>> {
  const named = await eventsNamed(scope, query)
  const filter = { ...filterOf(query), ...named }
  const compile = (tx: ReadTx, chosen: DeliveryFilter) =>
    compileBeside(store.conditionOf(chosen), 'webhook_deliveries', query.filter, {
      tx,
      alias: 'd',
      now: scope.clock.now(),
    })
  const counted = await countIfAsked(scope, query, {
    table: 'webhook_deliveries',
    alias: 'd',
    matching: (tx) => compile(tx, filter),
    all: () => store.conditionOf({}),
  })
  if (!named || matchesNothing(filter))
    return { ...presentPage([], page, presentDelivery), counts: NO_COUNTS, ...counted }
  if (query.filter || filter.eventIds) {
    const found = await scope.read(
      async (tx) => ({
        rows: await store.listFiltered(tx, await compile(tx, filter), page),
        counts: await store.countFiltered(tx, await compile(tx, { ...filter, status: undefined })),
      }),
      { snapshot: true },
    )
    return { ...presentPage(found.rows, page, presentDelivery), counts: found.counts, ...counted }
  }
  const { rows, counts, needsCounting } = await scope.read((tx) => lookUp(tx, filter, page), { snapshot: true })
  if (needsCounting) await scope.tx((tx) => ledger.insertLedger(tx, scope.clock.now()))
  return { ...presentPage(rows, page, presentDelivery), counts, ...counted }
}

/** A delivery with its attempts and its body, rendered again: the body that was sent, unless `payload_changed`. */
export async function getDelivery(scope: Scope, id: Id<'delivery'>): Promise<z.input<typeof DeliveryDetail>> {
  const found = await scope.read(async (tx) => {
    const row = await store.findDelivery(tx, id)
    if (!row) return null
    const attempts = await store.listAttempts(tx, id)
    const event = await store.findEventOf(tx, id)
    return { row, attempts, event, webhook: await findWebhook(tx, row.webhook_id) }
  })
  if (!found) throw notFound('delivery')
  const { row, attempts, event, webhook } = found
  const last = attempts.at(-1)
  const toggles = webhook ?? togglesOf(last?.omitted ?? ['answers', 'text', 'customData'])
  const body = event && renderBody(envelopeOf(event), toggles).body
  return {
    ...presentDelivery(row),
    payload: body ?? null,
    payload_changed: last !== undefined && (body === undefined || sha256(body) !== last.body_sha256),
    attempt_log: attempts.map(({ request_headers, response_headers, ...attempt }) => ({
      ...attempt,
      // A signature and the headers of an answer hold the moment.
      ...(row.by_day && { timestamp: null, signature: null }),
      at: momentOf(row, attempt.at),
      request_headers: row.by_day || request_headers === null ? null : JSON.parse(request_headers),
      response_headers: row.by_day || response_headers === null ? null : JSON.parse(response_headers),
    })),
  }
}

/** The same delivery as it stands in the caller's transaction. @throws Problem 404 for an unknown one. */
export async function readDelivery(
  tx: ReadTx,
  id: Id<'delivery'>,
): Promise<{ webhookId: Id<'webhook'>; presented: Presented }> {
  const row = await store.findDelivery(tx, id)
  if (!row) throw notFound('delivery')
  return { webhookId: row.webhook_id, presented: presentDelivery(row) }
}

/** The event of a delivery, as staging takes it. Undefined once its retention has passed. */
export async function readEventOf(
  tx: ReadTx,
  id: Id<'delivery'>,
): Promise<{ id: Id<'event'>; type: string; surveyId: Id<'survey'> | null; day: Date | null } | undefined> {
  const event = await store.findEventOf(tx, id)
  return (
    event && { id: event.id, type: event.type, surveyId: event.survey_id, day: event.by_day ? event.created_at : null }
  )
}

/** The latest deliveries of one cause to one webhook. */
export async function listDeliveriesOfSource(
  scope: Scope,
  webhookId: Id<'webhook'>,
  source: string,
): Promise<Presented[]> {
  const rows = await scope.read((tx) => store.listDeliveriesOfSource(tx, webhookId, source))
  return rows.map(presentDelivery)
}

/** The limits that the event and the subject of a query set. Null if there can be no delivery. */
async function eventsNamed(
  scope: Scope,
  { subject_id: subject, event_id: event, event: type, survey_id: survey }: z.output<typeof DeliveriesQuery>,
): Promise<DeliveryFilter | null> {
  const eventId = event === undefined ? undefined : parseId('event', event)
  if (eventId === null) return null
  const one = eventId === undefined ? {} : { eventIds: [eventId] }
  if (subject === undefined) return one
  const sought = soughtOf(subject)
  if (!sought) return null
  if ('surveyId' in sought) {
    const isOther = (type ?? 'survey.sent') !== 'survey.sent' || (survey ?? subject) !== subject
    return isOther ? null : { ...one, event: 'survey.sent', surveyId: sought.surveyId }
  }
  const ids = await scope.read((tx) => listEventsAbout(tx, sought))
  return { eventIds: eventId === undefined ? ids : ids.filter((id) => id === eventId), withoutDays: true }
}

// Spans tell how many deliveries most ranges of ids have; the others are counted one by one.
async function lookUp(
  tx: ReadTx,
  filter: DeliveryFilter,
  page: PageRequest,
): Promise<{ rows: DeliveryRow[]; counts: Counts; needsCounting: boolean }> {
  const spans = await ledger.listSpans(tx, filter)
  const { counted, live } = coverOf(spans, filter)
  const [met, undelivered, rows] = await Promise.all([
    store.countWithin(tx, filter, live),
    store.countUndelivered(tx, filter),
    readRows(tx, filter, page, spans),
  ])
  return { rows, counts: countsOf(counted + met, undelivered), needsCounting: spans.length === 0 && met > SPAN }
}

async function readRows(
  tx: ReadTx,
  filter: DeliveryFilter,
  page: PageRequest,
  spans: LedgerSpan[],
): Promise<DeliveryRow[]> {
  const { status } = filter
  if (page.sorting) return store.listFiltered(tx, store.conditionOf(filter), page)
  if (status !== undefined && status !== 'delivered') return store.listUndelivered(tx, { ...filter, status }, page)
  const rows: DeliveryRow[] = []
  for (const ranges of looksFor(spans, filter, page)) {
    rows.push(...(await store.listWithin(tx, filter, ranges, page.limit + 1 - rows.length)))
    if (rows.length > page.limit) break
  }
  return rows
}

type Counts = z.input<typeof DeliveryList>['counts']

const NO_COUNTS: Counts = { pending: 0, delivered: 0, failed: 0, dead_lettered: 0 }

function countsOf(all: number, { pending, retried, dead, abandoned }: store.UndeliveredCounts): Counts {
  const failed = retried + dead + abandoned
  return { pending, delivered: all - pending - failed, failed, dead_lettered: dead }
}

function filterOf(query: z.output<typeof DeliveriesQuery>): DeliveryFilter {
  return {
    status: query.status,
    webhookId: query.webhook_id === undefined ? undefined : parseId('webhook', query.webhook_id),
    surveyId: query.survey_id === undefined ? undefined : parseId('survey', query.survey_id),
    event: query.event,
    since: query.since,
    until: query.until,
  }
}

function envelopeOf({ id, type, created_at, data }: store.EventOfDelivery) {
  return { id: formatId('event', id), type, createdAt: created_at.toISOString(), data }
}

/** A delivery as the API shows it. */
export function presentDelivery(row: DeliveryRow): Presented {
  return {
    ...deliveries.show(row, {
      max_attempts: MAX_ATTEMPTS,
      next_attempt_at: nextAttemptAt(row)?.toISOString() ?? null,
      waiting: row.waiting,
      delivered_at: row.delivered_at && momentOf(row, row.delivered_at),
    }),
    test: row.backfill_id === TEST_SENDING,
    subject: row.by_day ? null : subjectOf(row.event, row.source, row.survey_id),
  }
}

/** When something happened to a delivery, as people may read it. */
function momentOf({ by_day, created_at }: DeliveryRow, at: Date): string {
  return (by_day ? created_at : at).toISOString()
}

/** The ledger as exports read it. */
export const exportedDeliveries: ExportSource = {
  columns: () => deliveries.exported,
  select: async (_scope, tx, { filter, snapshotAt }) =>
    selectKeys(
      tx,
      await compileFilter('webhook_deliveries', filter ?? { all: [] }, { tx, alias: 'd', now: snapshotAt }),
    ),
  async read(_scope, tx, keys, _spec, fields) {
    const rows = await store.listByIds(
      tx,
      keys.map(({ id }) => id),
    )
    return { rows: linesOf(rows.map(presentDelivery), fields), done: keys.length }
  },
}
