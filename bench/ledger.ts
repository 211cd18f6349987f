import { parseArgs } from 'node:util'
import { Registry } from 'prom-client'
import { createDeliveryEngine } from '../src/features/delivery/webhooks/engine/delivery-engine.ts'
import { DeliveriesQuery } from '../src/features/delivery/webhooks/log/deliveries.schema.ts'
import { listDeliveries } from '../src/features/delivery/webhooks/log/deliveries.service.ts'
import { ledgerCountsSweep } from '../src/features/delivery/webhooks/webhooks.feature.ts'
import { formatId, newId, type Id, type TenantId } from '../src/platform/ids.ts'
import { createTenant, machine, median, openRig, say, stageEvents, verdict, type Rig } from './parts/rig.ts'

// The delivery log at 5,000,000 settled rows: what a claim costs beside it, and a page of it with its counts.
const ENDPOINTS = 100
const DAYS = 90
const EVENTS = ['response.completed', 'response.updated', 'survey.sent']
const CHUNK = 500_000
const CLAIMED = 10_000
const ROUNDS = 5
const CALLS = 5
const CLAIM_SECONDS = 'earshot_webhook_claim_duration_seconds'

const { values: options } = parseArgs({
  options: {
    rows: { type: 'string', default: '5000000' },
    part: { type: 'string', multiple: true, default: ['claims', 'pages'] },
  },
})
const rows = Number(options.rows)

say(`${machine()}; PostgreSQL over a Unix socket, a pool of 20, pipelined.`)
say(
  `${rows.toLocaleString('en')} settled rows over ${DAYS} days, 1 % of them dead letters; ${ENDPOINTS} webhooks, 5 surveys, ${EVENTS.length} events.\n`,
)

interface Filled {
  rig: Rig
  tenant: TenantId
  webhooks: Id<'webhook'>[]
  surveys: Id<'survey'>[]
}

const full = await openFilled(rows)
if (options.part.includes('pages')) await pages(full)
if (options.part.includes('claims')) {
  const empty = await openFilled(0)
  await claims(empty, full)
  await empty.rig.close()
}
await full.rig.close()

async function openFilled(count: number): Promise<Filled> {
  const rig = await openRig()
  const tenant = await createTenant(
    rig.services,
    Array.from({ length: ENDPOINTS }, (_, i) => `${rig.receiver.url}/hooks/${i}`),
  )
  const surveys = Array.from({ length: 5 }, () => newId('survey'))
  const found = await owner<{ id: Id<'webhook'> }>(rig, 'select id from webhooks where tenant_id = $1 order by id', [
    tenant,
  ])
  const filled = { rig, tenant, surveys, webhooks: found.map((row) => row.id) }
  if (count > 0) await fill(filled, count)
  return filled
}

// Half of the webhooks have the first two surveys, the others the last three: large sets without a row in common.
async function fill({ rig, tenant, webhooks, surveys }: Filled, count: number): Promise<void> {
  const started = performance.now()
  const indexes = await owner<{ name: string; definition: string }>(
    rig,
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index where indrelid = 'webhook_deliveries'::regclass and not indisprimary`,
  )
  for (const { name } of indexes) await owner(rig, `drop index ${name}`)
  const startMs = rig.services.clock.now().getTime() - DAYS * 86_400_000
  const stepMs = (DAYS * 86_400_000 - 60_000) / count
  for (let from = 0; from < count; from += CHUNK) {
    await owner(
      rig,
      `insert into webhook_deliveries (tenant_id, id, webhook_id, event_id, event, survey_id, status, dead_lettered, attempts, attempts_logged,
         last_status_code, last_latency_ms, created_at, delivered_at)
       select $1, (lpad(to_hex(ms), 12, '0') || '7' || substr(md5(i::text), 1, 19))::uuid, ($2::uuid[])[1 + w], gen_random_uuid(), ($3::text[])[1 + i % 7 % 3],
         case when w % 2 = 0 then ($4::uuid[])[1 + i / 100 % 2] else ($4::uuid[])[3 + i / 100 % 3] end,
         case when dead then 'failed' else 'delivered' end, dead, 1, 1, case when dead then 500 else 200 end, 12, at, case when not dead then at end
       from (
         select i, w, ms, to_timestamp(ms / 1000.0) as at, hashint8(i) % 100 = 0 as dead
         from generate_series($5::bigint, $6::bigint - 1) as i, lateral (select (i % 100)::int as w, ($7::float8 + i * $8::float8)::bigint as ms) x) r`,
      [tenant, webhooks, EVENTS, surveys, from, Math.min(count, from + CHUNK), startMs, stepMs],
    )
    say(`      ${Math.min(count, from + CHUNK).toLocaleString('en')} rows after ${since(started)}`)
  }
  for (const { definition } of indexes) await owner(rig, definition)
  // Rows of 90 days that came at once: autovacuum would have seen them day by day.
  await owner(rig, 'vacuum analyze webhook_deliveries')
  say(`      indexes and vacuum after ${since(started)}`)
}

async function pages(filled: Filled): Promise<void> {
  const { rig, webhooks, surveys } = filled
  const first = await timed(() => read(filled, {}))
  say(`the first page ${first.toFixed(0)} ms, every row counted one by one; it asks for counts`)
  const started = performance.now()
  await rig.services.run((system) =>
    ledgerCountsSweep.run(system, {
      limit: Number.MAX_SAFE_INTEGER,
      signal: new AbortController().signal,
      renew: async () => true,
    }),
  )
  // Counts of 90 days, too.
  await owner(rig, 'vacuum analyze')
  const [size] = await owner<{ spans: number; bytes: string; ledger: string }>(
    rig,
    `select (select count(*)::int from webhook_ledger_spans) as spans, pg_size_pretty(pg_total_relation_size('webhook_ledger_counts')) as bytes,
       pg_size_pretty(pg_total_relation_size('webhook_deliveries')) as ledger`,
  )
  say(`the counts ${since(started)}: ${size?.spans} spans, ${size?.bytes} beside a ledger of ${size?.ledger}\n`)
  const ago = (days: number) =>
    new Date(rig.services.clock.now().getTime() - days * 86_400_000 - 1_234_567).toISOString()
  const webhook = { webhook_id: formatId('webhook', webhooks[0] as Id<'webhook'>) }
  const [survey, other] = [surveys[0], surveys[4]].map((id) => ({ survey_id: formatId('survey', id as Id<'survey'>) }))
  const event = { event: EVENTS[1] ?? '' }
  const cases: Array<[string, Record<string, string>]> = [
    ['none', {}],
    ['webhook', webhook],
    ['event', event],
    ['survey', survey ?? {}],
    ['webhook and survey', { ...webhook, ...survey }],
    ['webhook and survey, none in common', { ...webhook, ...other }],
    ['event and survey', { ...event, ...survey }],
    ['webhook, event and survey', { ...webhook, ...event, ...survey }],
    ['since 80 days ago', { since: ago(80) }],
    ['until 80 days ago', { until: ago(80) }],
    ['an hour 60 days ago', { since: ago(60.05), until: ago(60) }],
    ['between 70 and 20 days ago', { since: ago(70), until: ago(20) }],
    ['the same, webhook and event', { since: ago(70), until: ago(20), ...webhook, ...event }],
    ['until 80 days ago, webhook and survey', { until: ago(80), ...webhook, ...survey }],
    ['until 80 days ago, none in common', { until: ago(80), ...webhook, ...other }],
    ['since tomorrow', { since: ago(-1) }],
    ...['delivered', 'pending', 'failed', 'dead_lettered'].flatMap(
      (status): Array<[string, Record<string, string>]> => [
        [status, { status }],
        [`${status}, webhook`, { status, ...webhook }],
        [`${status}, event and survey`, { status, ...event, ...survey }],
        [`${status}, none in common`, { status, ...webhook, ...other }],
        [`${status}, between 70 and 20 days ago`, { status, since: ago(70), until: ago(20), ...survey }],
      ],
    ),
  ]
  let slowest = 0
  say(`${'filter'.padEnd(45)}${'ms'.padStart(7)}${'worst'.padStart(7)}${'rows'.padStart(12)}`)
  for (const [name, query] of cases) {
    const { counts } = await read(filled, query)
    const times = []
    for (let i = 0; i < CALLS; i++) times.push(await timed(() => read(filled, query)))
    slowest = Math.max(slowest, median(times))
    const count = counts.pending + counts.delivered + counts.failed
    say(
      `${name.padEnd(45)}${median(times).toFixed(1).padStart(7)}${Math.max(...times)
        .toFixed(1)
        .padStart(7)}${count.toLocaleString('en').padStart(12)}`,
    )
  }
  verdict('the slowest page and counts, ms', slowest, { atMost: 100 }, 1)
  say('')
}

async function claims(empty: Filled, filled: Filled): Promise<void> {
  const means: Record<'empty' | 'full', number[]> = { empty: [], full: [] }
  await drain(empty, 0)
  await drain(filled, 0)
  for (let round = 1; round <= ROUNDS; round++) {
    means.empty.push(await drain(empty, round))
    means.full.push(await drain(filled, round))
    say(
      `      round ${round}: a claim ${means.empty.at(-1)?.toFixed(2)} ms beside the empty ledger, ${means.full.at(-1)?.toFixed(2)} ms beside the full one`,
    )
    // So that the empty ledger stays one.
    await owner(empty.rig, 'truncate webhook_deliveries, webhook_attempts, events')
  }
  verdict('a claim beside the full ledger against the empty one', median(means.full) / median(means.empty), {
    atMost: 1.2,
  })
}

/** Stages and delivers rows; the mean time of a claim in ms. */
async function drain({ rig, tenant }: Filled, round: number): Promise<number> {
  await stageEvents(rig.services, tenant, CLAIMED / ENDPOINTS, (round * CLAIMED) / ENDPOINTS)
  // The two differ in their ledgers alone, not in whether autovacuum has come by.
  await owner(rig, 'vacuum analyze webhook_queue')
  const { run, clock, log, settings } = rig.services
  const metrics = new Registry()
  const engine = createDeliveryEngine({ run, clock, log, settings, metrics })
  await engine.sweep()
  await engine.idle()
  await engine.stop()
  const values = (await metrics.getSingleMetric(CLAIM_SECONDS)?.get())?.values ?? []
  const of = (part: string) =>
    values
      .filter((value) => 'metricName' in value && value.metricName === `${CLAIM_SECONDS}_${part}`)
      .reduce((sum, value) => sum + value.value, 0)
  return (of('sum') / of('count')) * 1_000
}

function read({ rig, tenant }: Filled, query: Record<string, string>) {
  const parsed = DeliveriesQuery.parse(query)
  return rig.services.run((system) =>
    listDeliveries(system.tenant(tenant, { type: 'system' }), parsed, { limit: 20, before: null }),
  )
}

function owner<Row>({ services }: Rig, text: string, values: unknown[] = []): Promise<Row[]> {
  return services.database.asOwner((connection) => connection.query<Row>(text, values))
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

function since(started: number): string {
  return `${((performance.now() - started) / 1000).toFixed(0)} s`
}
