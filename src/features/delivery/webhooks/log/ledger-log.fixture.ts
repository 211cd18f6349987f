import { Registry } from 'prom-client'
import { expect } from 'vitest'
import { formatId, lowestIdAt, newId, type Id, type TenantId } from '../../../../platform/ids.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { startTestServer, type TestServer } from '../../../../testing/harness.ts'
import { startReceiver, type Receiver } from '../../../../testing/receiver.ts'
import { stageEvent } from '../../publishing/publishing.service.ts'
import { insertEvent } from '../../events/events.store.ts'
import { createDeliveryEngine } from '../engine/delivery-engine.ts'
import { DeliveriesQuery } from './deliveries.schema.ts'
import { listDeliveries } from './deliveries.service.ts'
import { replayDelivery } from '../replay/replays.service.ts'
import { countDueLedgers } from './ledger-counts.service.ts'
import { insertLedger } from './ledger-counts.store.ts'
import { insertArrivals, insertDeliveries, queueDeliveries } from '../staging/staging.store.ts'
import { removeSettledDeliveries } from './retention.service.ts'
import { createWebhook } from '../registration/webhooks.service.ts'

const SECOND = 1_000
export const HOUR = 3_600_000
const START = new Date('2026-03-02T10:00:00Z')
export const EVENTS = ['response.completed', 'response.updated', 'survey.sent'] as const
const ZERO = '00000000-0000-0000-0000-000000000000'
const registration = {
  description: '',
  tags: [],
  headers: {},
  events: [],
  survey_ids: [],
  include_text: true,
  include_custom_data: true,
  include_answers: true,
}

export type Query = Record<string, string | number>

export interface Log {
  server: TestServer
  receiver: Receiver
  tenantId: TenantId
  webhooks: Id<'webhook'>[]
  surveys: Id<'survey'>[]
  sources: number
}

export async function open(kind: 'pg' | 'pglite'): Promise<Log> {
  const server = await startTestServer({ engine: kind, now: START })
  return {
    server,
    receiver: await startReceiver(),
    tenantId: newId('workspace'),
    webhooks: [],
    surveys: [],
    sources: 0,
  }
}

export async function close({ server, receiver }: Log): Promise<void> {
  await receiver.close()
  await server.close()
}

/** Another workspace on the same server, whose deliveries are counted or not. */
export async function begin(log: Log, counted: boolean): Promise<void> {
  await log.server.peek('truncate webhooks, events, webhook_deliveries, webhook_queue, webhook_attempts')
  log.server.clock.set(START)
  Object.assign(log, { tenantId: newId('workspace'), webhooks: [], surveys: [newId('survey'), newId('survey')] })
  for (let i = 0; i < 3; i++) await register(log, i)
  if (counted) await inScope(log, (scope) => scope.tx((tx) => insertLedger(tx, scope.clock.now())))
}

export async function register(log: Log, n: number): Promise<void> {
  await inScope(log, (scope) => createWebhook(scope, { ...registration, url: `${log.receiver.url}/${n}` }))
  log.webhooks = (
    await log.server.peek<{ id: Id<'webhook'> }>('select id from webhooks where tenant_id = $1 order by id', [
      log.tenantId,
    ])
  ).map((row) => row.id)
}

export function inScope<T>({ server, tenantId }: Log, work: (scope: Scope) => Promise<T>): Promise<T> {
  return server.services.run((system) => work(system.tenant(tenantId, { type: 'system' })))
}

export function count({ server }: Log, spanRows: number): Promise<number> {
  return server.services.run((system) =>
    countDueLedgers(system, { limit: 100, signal: new AbortController().signal, renew: async () => true }, spanRows),
  )
}

export async function countLater(log: Log, spanRows = 3): Promise<void> {
  log.server.clock.advance(60 * SECOND)
  await count(log, spanRows)
}

/**
 * Until the sweep has done all it can: a transaction of another test file, anywhere on the server, keeps it waiting.
 */
export async function countAll(log: Log, spanRows = 3): Promise<void> {
  const deadline = Date.now() + 20_000
  do {
    await countLater(log, spanRows)
    const [behind] = await log.server.peek('select 1 from webhook_ledgers where tenant_id = $1 and next_at <= $2', [
      log.tenantId,
      log.server.clock.now(),
    ])
    if (!behind) return
  } while (Date.now() < deadline)
}

export async function stage(log: Log, pick = 0): Promise<void> {
  log.sources += 1
  const [type = EVENTS[0], surveyId = null] = [EVENTS[pick % 3], pick % 5 === 0 ? null : log.surveys[pick % 2]]
  await inScope(log, (scope) =>
    scope.tx((tx) => stageEvent(scope, tx, { type, surveyId, source: `test:${log.sources}`, data: {} })),
  )
}

/** As a host would whose clock is wrong: the id shows another time than `created_at`. */
export async function stageElsewhen(log: Log, pick: number): Promise<void> {
  const webhookId = log.webhooks[pick % log.webhooks.length]
  if (!webhookId) return
  const id =
    `${lowestIdAt(new Date(Date.now() + ((pick % 7) - 4) * 600)).slice(0, 15)}${newId('delivery').slice(15)}` as Id<'delivery'>
  const event = { id: newId('event'), type: EVENTS[pick % 3] ?? '', surveyId: log.surveys[pick % 2] ?? null }
  await inScope(log, (scope) =>
    scope.tx(async (tx) => {
      const row = { type: event.type, survey_id: event.surveyId, data: '{}', created_at: scope.clock.now() }
      await tx.prepared(insertEvent(tx, { id: event.id, subject_id: null, source: event.id, ...row }))
      const deliveries = [{ id, webhookId, parked: false, lease: null }]
      await tx.prepared(insertDeliveries(tx, event, deliveries, scope.clock.now(), null))
      await tx.prepared(queueDeliveries(tx, deliveries, scope.clock.now()))
      tx.atCommit(insertArrivals(tx, [id]))
    }),
  )
}

export async function deliver(log: Log, pick: number): Promise<void> {
  const status = [200, 200, 500, 410][pick % 4] ?? 200
  log.receiver.answer((_request, response) => void response.writeHead(status).end())
  const { run, log: output, settings } = log.server.services
  const engine = createDeliveryEngine({ run, log: output, settings, clock: log.server.clock, metrics: new Registry() })
  await engine.sweep()
  await engine.idle()
  // An engine of its own, stopped: what it would go on with must not change between two looks.
  await engine.stop()
}

export async function replaySome(log: Log, pick: number): Promise<void> {
  const dead = await log.server.peek<{ id: Id<'delivery'> }>(
    `select d.id from webhook_deliveries d join webhooks w on w.id = d.webhook_id where d.dead_lettered and d.tenant_id = $1 order by d.id`,
    [log.tenantId],
  )
  const one = dead[pick % Math.max(1, dead.length)]
  if (one) await inScope(log, (scope) => replayDelivery(scope, one.id))
}

export async function retain(log: Log, hours: number): Promise<void> {
  const before = new Date(log.server.clock.now().getTime() - hours * HOUR)
  const events = await log.server.peek<{ id: Id<'event'> }>(
    'select distinct event_id as id from webhook_deliveries where tenant_id = $1',
    [log.tenantId],
  )
  await inScope(log, (scope) =>
    scope.tx((tx) =>
      removeSettledDeliveries(
        tx,
        events.map((event) => event.id),
        before,
      ),
    ),
  )
}

export function read(log: Log, query: Query, before: string | null = null) {
  const parsed = DeliveriesQuery.parse(query)
  return inScope(log, (scope) => listDeliveries(scope, parsed, { limit: parsed.limit, before }))
}

const STATES = {
  pending: `status = 'pending'`,
  delivered: `status = 'delivered'`,
  failed: `status = 'failed'`,
  dead_lettered: 'dead_lettered',
}

/** The whole log by pages, and its counts, against the plainest SQL. */
export async function expectExact(log: Log, query: Query): Promise<void> {
  const parsed = DeliveriesQuery.parse(query)
  const rows = await log.server.peek<{ id: Id<'delivery'>; shown: boolean; status: string; dead_lettered: boolean }>(
    `select id, status, dead_lettered, ${parsed.status ? STATES[parsed.status] : 'true'} as shown from webhook_deliveries
     where tenant_id = $1 and ($2::text is null or webhook_id = any($3::uuid[])) and ($4::text is null or event = $4) and ($5::text is null or survey_id = any($6::uuid[]))
       and created_at >= coalesce($7::timestamptz, '-infinity') and created_at < coalesce($8::timestamptz, 'infinity') order by id desc`,
    [
      log.tenantId,
      parsed.webhook_id ?? null,
      log.webhooks.filter((id) => formatId('webhook', id) === parsed.webhook_id),
      parsed.event ?? null,
      parsed.survey_id ?? null,
      log.surveys.filter((id) => formatId('survey', id) === parsed.survey_id),
      parsed.since ?? null,
      parsed.until ?? null,
    ],
  )
  const having = (status: string) => rows.filter((row) => row.status === status).length
  const counts = {
    pending: having('pending'),
    delivered: having('delivered'),
    failed: having('failed'),
    dead_lettered: rows.filter((row) => row.dead_lettered).length,
  }
  const shown: string[] = []
  let before: string | null = null
  do {
    const page = await read(log, query, before)
    expect(page.counts, JSON.stringify(query)).toEqual(counts)
    shown.push(...page.data.map((row) => row.id))
    before = page.next_cursor && JSON.parse(Buffer.from(page.next_cursor, 'base64url').toString('utf8'))[1]
  } while (before !== null)
  expect(shown, JSON.stringify(query)).toEqual(
    rows.filter((row) => row.shown).map((row) => formatId('delivery', row.id)),
  )
}

export function queryOf(log: Log, pick: { which: number; hours: number; length: number }): Query {
  const { which } = pick
  const since = new Date(START.getTime() + pick.hours * HOUR)
  const status = Object.keys(STATES)[which % 7]
  return {
    limit: 3 + (which % 4) * 9,
    ...(status && { status }),
    ...(which & 8 && {
      webhook_id: formatId('webhook', log.webhooks[which % log.webhooks.length] ?? (ZERO as Id<'webhook'>)),
    }),
    ...(which & 16 && { event: EVENTS[which % 3] ?? '' }),
    ...(which & 32 && { survey_id: formatId('survey', log.surveys[which % 2] ?? (ZERO as Id<'survey'>)) }),
    ...(which & 64 && { since: since.toISOString() }),
    ...(which & 128 && { until: new Date(since.getTime() + pick.length * HOUR).toISOString() }),
  }
}
