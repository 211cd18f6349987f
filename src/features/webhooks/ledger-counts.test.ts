import fc from 'fast-check'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { TenantTx } from '../../platform/database.ts'
import { formatId, lowestIdAt, newId, type Id, type TenantId } from '../../platform/ids.ts'
import type { Scope } from '../../platform/scope.ts'
import { startTestServer, type TestServer } from '../../testing/harness.ts'
import { startReceiver, type Receiver } from '../../testing/receiver.ts'
import { stageEvent } from '../events/events.service.ts'
import { insertEvent } from '../events/events.store.ts'
import { createDeliveryEngine } from './delivery-engine.ts'
import { LedgerQuery } from './deliveries.schema.ts'
import { listDeliveries, replayDelivery } from './deliveries.service.ts'
import { countDueLedgers } from './ledger-counts.service.ts'
import { insertArrivals, insertLedger } from './ledger-counts.store.ts'
import { insertDeliveries } from './queue.store.ts'
import { removeSettledDeliveries } from './retention.service.ts'
import { createWebhook, deleteWebhook } from './webhooks.service.ts'

const SECOND = 1_000
const HOUR = 3_600_000
const START = new Date('2026-03-02T10:00:00Z')
const EVENTS = ['response.completed', 'response.updated', 'survey.sent'] as const
const ZERO = '00000000-0000-0000-0000-000000000000'
const registration = { description: '', events: [], survey_ids: [], include_text: true, include_custom_data: true, include_answers: true }

type Query = Record<string, string | number>

interface Log {
  server: TestServer
  receiver: Receiver
  tenantId: TenantId
  webhooks: Id<'webhook'>[]
  surveys: Id<'survey'>[]
  sources: number
}

async function open(kind: 'pg' | 'pglite'): Promise<Log> {
  const server = await startTestServer({ engine: kind, now: START })
  return { server, receiver: await startReceiver(), tenantId: newId('workspace'), webhooks: [], surveys: [], sources: 0 }
}

async function close({ server, receiver }: Log): Promise<void> {
  await receiver.close()
  await server.close()
}

/** Another workspace on the same server, whose deliveries are counted or not. */
async function begin(log: Log, counted: boolean): Promise<void> {
  await log.server.peek('truncate webhooks, events, webhook_deliveries, webhook_queue, webhook_attempts')
  log.server.clock.set(START)
  Object.assign(log, { tenantId: newId('workspace'), webhooks: [], surveys: [newId('survey'), newId('survey')] })
  for (let i = 0; i < 3; i++) await register(log, i)
  if (counted) await inScope(log, (scope) => scope.tx((tx) => insertLedger(tx, scope.clock.now())))
}

async function register(log: Log, n: number): Promise<void> {
  await inScope(log, (scope) => createWebhook(scope, { ...registration, url: `${log.receiver.url}/${n}` }))
  log.webhooks = (await log.server.peek<{ id: Id<'webhook'> }>('select id from webhooks where tenant_id = $1 order by id', [log.tenantId])).map((row) => row.id)
}

function inScope<T>({ server, tenantId }: Log, work: (scope: Scope) => Promise<T>): Promise<T> {
  return server.services.run((system) => work(system.tenant(tenantId, { type: 'system' })))
}

function count({ server }: Log, spanRows: number): Promise<number> {
  return server.services.run((system) => countDueLedgers(system, { limit: 100, signal: new AbortController().signal, renew: async () => true }, spanRows))
}

async function countLater(log: Log, spanRows = 3): Promise<void> {
  log.server.clock.advance(60 * SECOND)
  await count(log, spanRows)
}

/** Until the sweep has done all it can: a transaction of another test file, anywhere on the server, keeps it waiting. */
async function countAll(log: Log, spanRows = 3): Promise<void> {
  const deadline = Date.now() + 20_000
  do {
    await countLater(log, spanRows)
    const [behind] = await log.server.peek('select 1 from webhook_ledgers where tenant_id = $1 and next_at <= $2', [log.tenantId, log.server.clock.now()])
    if (!behind) return
  } while (Date.now() < deadline)
}

async function stage(log: Log, pick = 0): Promise<void> {
  log.sources += 1
  const [type = EVENTS[0], surveyId = null] = [EVENTS[pick % 3], pick % 5 === 0 ? null : log.surveys[pick % 2]]
  await inScope(log, (scope) => scope.tx((tx) => stageEvent(scope, tx, { type, surveyId, source: `test:${log.sources}`, data: {} })))
}

/** As a host would whose clock is wrong: the id tells another time than `created_at`. */
async function stageElsewhen(log: Log, pick: number): Promise<void> {
  const webhookId = log.webhooks[pick % log.webhooks.length]
  if (!webhookId) return
  const id = `${lowestIdAt(new Date(Date.now() + ((pick % 7) - 4) * 600)).slice(0, 15)}${newId('delivery').slice(15)}` as Id<'delivery'>
  const event = { id: newId('event'), type: EVENTS[pick % 3] ?? '', surveyId: log.surveys[pick % 2] ?? null }
  await inScope(log, (scope) =>
    scope.tx(async (tx) => {
      await insertEvent(tx, { id: event.id, type: event.type, survey_id: event.surveyId, source: event.id, data: '{}', created_at: scope.clock.now() })
      await insertDeliveries(tx, event, [{ id, webhookId, parked: false }], scope.clock.now())
      insertArrivals(tx, [id])
    }),
  )
}

async function deliver(log: Log, pick: number): Promise<void> {
  const status = [200, 200, 500, 410][pick % 4] ?? 200
  log.receiver.answer((_request, response) => void response.writeHead(status).end())
  const { run, log: output, settings } = log.server.services
  const engine = createDeliveryEngine({ run, log: output, settings, clock: log.server.clock, metrics: new Registry() })
  await engine.sweep()
  await engine.idle()
  // An engine of its own, stopped: what it would go on with must not change between two looks.
  await engine.stop()
}

async function replaySome(log: Log, pick: number): Promise<void> {
  const dead = await log.server.peek<{ id: Id<'delivery'> }>(
    `select d.id from webhook_deliveries d join webhooks w on w.id = d.webhook_id where d.dead_lettered and d.tenant_id = $1 order by d.id`,
    [log.tenantId],
  )
  const one = dead[pick % Math.max(1, dead.length)]
  if (one) await inScope(log, (scope) => replayDelivery(scope, one.id))
}

async function retain(log: Log, hours: number): Promise<void> {
  const before = new Date(log.server.clock.now().getTime() - hours * HOUR)
  const events = await log.server.peek<{ id: Id<'event'> }>('select distinct event_id as id from webhook_deliveries where tenant_id = $1', [log.tenantId])
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

function read(log: Log, query: Query, before: string | null = null) {
  const parsed = LedgerQuery.parse(query)
  return inScope(log, (scope) => listDeliveries(scope, parsed, { limit: parsed.limit, before }))
}

const STATES = { pending: `status = 'pending'`, delivered: `status = 'delivered'`, failed: `status = 'failed'`, dead_lettered: 'dead_lettered' }

/** The whole log by pages, and its counts, against the plainest SQL. */
async function expectExact(log: Log, query: Query): Promise<void> {
  const parsed = LedgerQuery.parse(query)
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
    before = page.next_cursor && Buffer.from(page.next_cursor, 'base64url').toString('utf8')
  } while (before !== null)
  expect(shown, JSON.stringify(query)).toEqual(rows.filter((row) => row.shown).map((row) => formatId('delivery', row.id)))
}

function queryOf(log: Log, pick: { which: number; hours: number; length: number }): Query {
  const { which } = pick
  const since = new Date(START.getTime() + pick.hours * HOUR)
  const status = Object.keys(STATES)[which % 7]
  return {
    limit: 3 + (which % 4) * 9,
    ...(status && { status }),
    ...(which & 8 && { webhook_id: formatId('webhook', log.webhooks[which % log.webhooks.length] ?? (ZERO as Id<'webhook'>)) }),
    ...(which & 16 && { event: EVENTS[which % 3] ?? '' }),
    ...(which & 32 && { survey_id: formatId('survey', log.surveys[which % 2] ?? (ZERO as Id<'survey'>)) }),
    ...(which & 64 && { since: since.toISOString() }),
    ...(which & 128 && { until: new Date(since.getTime() + pick.length * HOUR).toISOString() }),
  }
}

describe.each(['pg', 'pglite'] as const)('on %s', (kind) => {
  let log: Log
  beforeAll(async () => {
    log = await open(kind)
  })
  afterAll(() => close(log))

  const kinds = ['stage', 'stage', 'stage', 'elsewhen', 'elsewhen', 'deliver', 'deliver', 'replay', 'remove', 'retain', 'count', 'count', 'count', 'wait']
  const steps = fc.array(fc.record({ kind: fc.constantFrom(...kinds), pick: fc.nat(1_000), hours: fc.double({ min: 0, max: 9, noNaN: true }) }), {
    minLength: 40,
    maxLength: 60,
  })
  const looks = fc.array(fc.record({ which: fc.nat(255), hours: fc.integer({ min: 0, max: 30 }), length: fc.integer({ min: 1, max: 20 }) }), {
    minLength: 8,
    maxLength: 8,
  })

  async function take(step: { kind: string; pick: number; hours: number }): Promise<unknown> {
    switch (step.kind) {
      case 'stage':
        return stage(log, step.pick)
      case 'elsewhen':
        return stageElsewhen(log, step.pick)
      case 'deliver':
        return deliver(log, step.pick)
      case 'replay':
        return replaySome(log, step.pick)
      case 'remove': {
        const gone = log.webhooks[step.pick % log.webhooks.length]
        if (step.pick % 4 > 0 || !gone) return undefined
        await inScope(log, (scope) => deleteWebhook(scope, gone))
        return register(log, step.pick)
      }
      case 'retain':
        return retain(log, step.hours * 2)
      case 'count':
        return countLater(log, 2 + (step.pick % 3))
      default:
        return log.server.clock.advance(step.hours * HOUR)
    }
  }

  test('counts and pages equal those of every row, whatever happened when, under any filter', { timeout: 180_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(steps, looks, fc.boolean(), async (taken, seen, counted) => {
        await begin(log, counted)
        let seenNext = 0
        for (const [i, step] of taken.entries()) {
          await take(step)
          if (i % 5 === 4) await expectExact(log, queryOf(log, seen[seenNext++ % seen.length] ?? { which: 0, hours: 0, length: 1 }))
        }
        for (const look of seen) await expectExact(log, queryOf(log, look))
        await countLater(log)
        for (const look of seen) await expectExact(log, queryOf(log, look))
      }),
      { numRuns: kind === 'pg' ? 15 : 5, endOnFailure: true },
    )
  })

  describe('in a counted log', () => {
    beforeEach(() => begin(log, true))
    const spans = () => log.server.peek<{ until_id: string }>('select until_id from webhook_ledger_spans where tenant_id = $1', [log.tenantId])
    const total = async (query: Query = {}) => (await read(log, query)).counts.pending + (await read(log, query)).counts.delivered
    const changes = () => log.server.peek('select change from webhook_ledger_changes where tenant_id = $1', [log.tenantId])

    test('whole spans are taken from the counts, and only what is newer is counted one by one', async () => {
      for (let i = 0; i < 4; i++) await stage(log)
      await countAll(log, 5)
      expect(await spans()).toHaveLength(2)
      expect(await total()).toBe(12)
      await log.server.peek('update webhook_ledger_counts set deliveries = deliveries + 100 where tenant_id = $1', [log.tenantId])
      expect(await total()).toBe(212)
      expect(await total({ webhook_id: formatId('webhook', log.webhooks[0] as Id<'webhook'>) })).toBe(204)
      expect(await total({ until: log.server.clock.now().toISOString() })).toBe(212)
      expect(await total({ since: log.server.clock.now().toISOString() })).toBe(0)
    })

    test('a page skips the spans that hold no row of its combination', async () => {
      for (let i = 0; i < 4; i++) await stage(log, 1)
      await countAll(log, 3)
      await log.server.peek('delete from webhook_ledger_counts where tenant_id = $1 and event = $2', [log.tenantId, EVENTS[1]])
      const page = await read(log, { event: EVENTS[1], survey_id: formatId('survey', log.surveys[1] as Id<'survey'>) })
      expect(page.data.length).toBeLessThan(4)
      expect((await read(log, {})).data).toHaveLength(12)
    })

    test('what retention removed goes from the counts, and a span with its last row', async () => {
      for (let i = 0; i < 4; i++) await stage(log)
      await countAll(log, 3)
      expect((await spans()).length).toBeGreaterThan(1)
      await deliver(log, 0)
      await retain(log, -1)
      expect((await changes()).length).toBeGreaterThan(0)
      expect(await total()).toBe(0)
      await countAll(log)
      expect(await changes()).toEqual([])
      expect(await spans()).toHaveLength(1)
      expect(await log.server.peek('select 1 from webhook_ledger_counts where tenant_id = $1', [log.tenantId])).toEqual([])
      expect(await total()).toBe(0)
    })
  })
})

describe('writers that overlap a sweep', () => {
  let log: Log
  beforeAll(async () => {
    log = await open('pg')
  })
  afterAll(() => close(log))
  beforeEach(() => begin(log, true))

  const staged = async () => (await read(log, {})).counts.pending
  const spans = () => log.server.peek('select until_id from webhook_ledger_spans where tenant_id = $1', [log.tenantId])

  /** A staging that has written and waits; `commit` lets it go on. */
  async function hold(): Promise<{ commit(): Promise<void> }> {
    const [written, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const done = inScope(log, (scope) =>
      scope.tx(async (tx) => {
        log.sources += 1
        // A staging writes as it commits; here the writes come first.
        const writes: Array<() => Promise<unknown>> = []
        const early: TenantTx = { ...tx, atCommit: (name, text, values) => void writes.push(() => tx.prepared(name, text, values)) }
        await stageEvent(scope, early, { type: EVENTS[0], surveyId: null, source: `test:${log.sources}`, data: {} })
        await Promise.all(writes.map((write) => write()))
        written.resolve()
        await gate.promise
      }),
    )
    await written.promise
    return {
      async commit() {
        gate.resolve()
        await done
      },
    }
  }

  test('nothing is counted before a staging has ended that could not know of the seal', async () => {
    await stage(log)
    const late = await hold()
    for (let i = 0; i < 3; i++) await stage(log)
    await countLater(log)
    expect(await spans()).toEqual([])
    expect(await staged()).toBe(12)
    await late.commit()
    expect(await staged()).toBe(15)
    await countAll(log)
    expect((await spans()).length).toBeGreaterThan(2)
    expect(await staged()).toBe(15)
  })

  test('a delivery with an id below the seal is noted, and merged by the next sweep', async () => {
    for (let i = 0; i < 4; i++) await stage(log)
    await countAll(log)
    await stageElsewhen(log, 0)
    expect(await log.server.peek('select change from webhook_ledger_changes where tenant_id = $1', [log.tenantId])).toEqual([{ change: 1 }])
    expect(await staged()).toBe(13)
    await countAll(log)
    expect(await log.server.peek('select change from webhook_ledger_changes where tenant_id = $1', [log.tenantId])).toEqual([])
    expect(await staged()).toBe(13)
  })

  test('staging notes what it writes below the seal, and only that', async () => {
    await stage(log)
    const changes = () => log.server.peek('select change from webhook_ledger_changes where tenant_id = $1', [log.tenantId])
    expect(await changes()).toEqual([])
    await log.server.peek('update webhook_ledgers set sealed_id = $2 where tenant_id = $1', [log.tenantId, newId('delivery')])
    await stage(log)
    expect(await changes()).toEqual([])
    await log.server.peek('update webhook_ledgers set sealed_id = $2 where tenant_id = $1', [log.tenantId, lowestIdAt(new Date('2100-01-01'))])
    await stage(log)
    expect(await changes()).toEqual([{ change: 1 }, { change: 1 }, { change: 1 }])
    expect(await staged()).toBe(9)
  })

  test('staging does not wait for a sweep', async () => {
    await stage(log)
    await log.server.services.database.asOwner(async (owner) => {
      await owner.script('begin')
      await owner.query('select 1 from webhook_ledgers where tenant_id = $1 for update', [log.tenantId])
      await stage(log)
      await owner.script('rollback')
    })
    expect(await staged()).toBe(6)
  })

  test('a log is counted once somebody met more rows than a span holds', async () => {
    await log.server.peek('delete from webhook_ledgers')
    await stage(log)
    const copy = (n: number) =>
      log.server.peek(
        `insert into webhook_deliveries (tenant_id, id, webhook_id, event_id, event, status, queued, created_at)
         select tenant_id, gen_random_uuid(), webhook_id, gen_random_uuid(), event, 'delivered', true, created_at
         from (select * from webhook_deliveries limit 1) d, generate_series(1, $1::int)`,
        [n],
      )
    const asked = () => log.server.peek('select 1 from webhook_ledgers')
    await copy(19_997)
    expect((await read(log, {})).counts.delivered).toBe(19_997)
    expect(await asked()).toEqual([])
    await copy(10)
    expect((await read(log, {})).counts.delivered).toBe(20_007)
    expect(await asked()).toHaveLength(1)
    await countAll(log, 20_000)
    expect(await spans()).toHaveLength(1)
    expect((await read(log, {})).counts.delivered).toBe(20_007)
  })
})
