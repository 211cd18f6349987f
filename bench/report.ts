import { once } from 'node:events'
import { createServer } from 'node:http'
import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { serve } from '@hono/node-server'
import { createApp } from '../src/app.ts'
import { rollupSweep } from '../src/features/answers/reporting/reporting.sweeps.ts'
import { createDatabaseClock } from '../src/platform/clock.ts'
import { parseConfig } from '../src/platform/config.ts'
import { formatId, parseId, type Id } from '../src/platform/ids.ts'
import { createLog } from '../src/platform/log.ts'
import { migrate } from '../src/platform/migrate.ts'
import { createServices } from '../src/services.ts'
import { startPostgres } from '../src/testing/postgres.ts'

const LIMIT_MS = 300
const DAY_MS = 86_400_000

const { values: options } = parseArgs({
  options: { responses: { type: 'string', default: '1000000' }, rounds: { type: 'string', default: '9' } },
})
const responses = Number(options.responses)
const rounds = Number(options.rounds)

const dataDir = await mkdtemp(join(tmpdir(), 'earshot-bench-'))
const postgres = await startPostgres([])
const config = parseConfig({
  LOG_LEVEL: 'error',
  SECRETS_KEY: 'a-key-for-a-bench-that-is-long-enough',
  DATABASE_URL: postgres.url('postgres'),
  DATA_DIR: dataDir,
})
const services = await createServices(config, { log: createLog('error'), clock: createDatabaseClock() })
await migrate(services.database)
const server = serve({ fetch: createApp(services).fetch, port: 0, hostname: '127.0.0.1', createServer })
if (!server.listening) await once(server, 'listening')
const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

say(
  `GET /v1/surveys/:id/report whole, over HTTP, of one survey with ${responses.toLocaleString('en')} responses spread over a year; six questions.`,
)
say('PostgreSQL over a Unix socket. Medians of warm calls; the aggregate runs between them.\n')

const { token } = await call<{ token: string }>('POST', '/public/workspaces', {
  workspace_name: 'Bench',
  name: 'Bench',
  email: 'bench@example.com',
  password: 'a long password',
})
const surveyId = await publish()
const filled = await timed(() => fill(responses))
say(`filling               ${seconds(filled)}`)
const day = (ago: number) => new Date(services.clock.now().getTime() - ago * DAY_MS).toISOString().slice(0, 10)
const year = { from: day(366), to: day(0) }

const cold = await timed(() => report(year))
say(`the first report      ${seconds(cold)}, every response read one by one; it asks for rollups`)
const rolling = await timed(() => services.run((system) => rollAll(system)))
say(
  `rolling up            ${seconds(rolling)} (${Math.round(responses / (rolling / 1000)).toLocaleString('en')} responses/s)`,
)
// Rollups of a year that came at once: autovacuum would have seen them day by day.
await services.database.asOwner((owner) => owner.query('vacuum analyze'))
for (const [table = '', size = ''] of await sizes()) say(`${table.padEnd(22)}${size}`)

const limited: Array<[string, Record<string, string>]> = [
  ['default period', {}],
  ['all the year, UTC', year],
  ['all the year, Asia/Kolkata', { ...year, timezone: 'Asia/Kolkata' }],
  ['all the year, Asia/Kathmandu', { ...year, timezone: 'Asia/Kathmandu' }],
  ['all the year, New_York, weeks', { ...year, timezone: 'America/New_York', interval: 'week' }],
]
say('')
let missed = await measure(limited)
await touch(50)
say('\nafter 50 responses were quarantined, which marks 50 quarters of an hour:')
missed += await measure([
  ['all the year, UTC', year],
  ['all the year, Asia/Kolkata', { ...year, timezone: 'Asia/Kolkata' }],
])
const filtered = await timed(() =>
  report({ filter: JSON.stringify({ all: [{ field: 'channel', op: 'eq', value: 'email' }] }) }),
)
const filteredYear = await timed(() =>
  report({ ...year, filter: JSON.stringify({ all: [{ field: 'channel', op: 'eq', value: 'email' }] }) }),
)
say(
  `\nwith a filter, which reads responses one by one: ${seconds(filtered)} for the default period, ${seconds(filteredYear)} for the year`,
)
say(
  `\nlimit                 ${LIMIT_MS} ms: ${missed === 0 ? 'held by every line above but the filtered ones' : `missed by ${missed}`}`,
)

server.close()
await services.close()
await postgres.stop()
await rm(dataDir, { recursive: true, force: true })
process.exitCode = missed === 0 ? 0 : 1

async function measure(cases: Array<[string, Record<string, string>]>): Promise<number> {
  const over = []
  for (const [name, query] of cases) {
    await report(query)
    const [whole, plain]: [number[], number[]] = [[], []]
    for (let round = 0; round < rounds; round++) {
      whole.push(await timed(() => report(query)))
      plain.push(await timed(() => plainAggregate(query['from'] ? 366 : 60)))
    }
    const n = (await report(query)).counts.total
    say(
      `${name.padEnd(30)} ${ms(median(whole)).padStart(7)}   worst ${ms(Math.max(...whole)).padStart(7)}   ${n.toLocaleString('en').padStart(9)} responses   plain NPS aggregate ${ms(median(plain))}`,
    )
    if (median(whole) > LIMIT_MS) over.push(name)
  }
  return over.length
}

/** The NPS block alone, by hand, past row level security. */
async function plainAggregate(days: number): Promise<void> {
  await services.database.asOwner((owner) =>
    owner.query(
      `select count(*) filter (where score >= 9) as promoters, count(*) filter (where score between 7 and 8) as passives, count(*) filter (where score <= 6) as detractors
       from responses where survey_id = $1 and tenant_id = (select tenant_id from surveys where id = $1) and state = 'completed' and metric = 'nps' and recorded_at >= $2`,
      [parseId('survey', surveyId), new Date(services.clock.now().getTime() - days * DAY_MS)],
    ),
  )
}

async function report(query: Record<string, string>): Promise<{ counts: { total: number } }> {
  return call('GET', `/v1/surveys/${surveyId}/report?${new URLSearchParams(query)}`)
}

async function publish(): Promise<string> {
  const choices = (ids: string) => [...ids].map((id) => ({ id, label: id }))
  const { id } = await call<{ id: string }>('POST', '/v1/surveys', {
    name: 'Bench',
    metric: 'nps',
    questions: [
      { id: 'q1', type: 'nps', title: 'T', required: true },
      { id: 'q2', type: 'single', title: 'T', choices: choices('abcde'), allow_other: true },
      { id: 'q3', type: 'multi', title: 'T', choices: choices('abcdefgh') },
      { id: 'q4', type: 'csat', title: 'T' },
      { id: 'q5', type: 'matrix', title: 'T', rows: choices('xyz'), columns: choices('abcd') },
      { id: 'q6', type: 'open_text', title: 'T' },
    ],
  })
  await call('POST', `/v1/surveys/${id}/publish`)
  return id
}

async function fill(count: number): Promise<void> {
  await services.database.asOwner((owner) =>
    owner.query(
      `with made as materialized (
         select n, now() - interval '365 days' * (1 - n::float8 / $2) as at, random() as r, floor(random() * 11)::int as nps, floor(random() * 5)::int as csat,
           substr('abcdef', 1 + floor(random() * 6)::int, 1) as one, substr('abcdefgh', 1 + floor(random() * 8)::int, 1) as two, substr('abcd', 1 + floor(random() * 4)::int, 1) as cell
         from generate_series(1, $2::int) as n)
       insert into responses (tenant_id, id, survey_id, survey_version, state, channel, language, answers, text, custom_data, path, metric, score, band, started_at, completed_at,
         tags, notes, quality_flags, quotas, updated_at)
       select s.tenant_id, gen_random_uuid(), s.id, 1, state, case when n % 4 = 0 then 'email' else 'web' end, 'en',
         case when state = 'deleted' then '[]' when state = 'partial' then jsonb_build_array(jsonb_build_object('question_id', 'q1', 'type', 'nps', 'value', nps)) else jsonb_build_array(
           jsonb_build_object('question_id', 'q1', 'type', 'nps', 'value', nps), jsonb_build_object('question_id', 'q2', 'type', 'single', 'value', case one when 'f' then 'other' else one end),
           jsonb_build_object('question_id', 'q3', 'type', 'multi', 'value', case when two = 'a' then jsonb_build_array('a') else jsonb_build_array('a', two) end),
           jsonb_build_object('question_id', 'q4', 'type', 'csat', 'value', csat + 1),
           jsonb_build_object('question_id', 'q5', 'type', 'matrix', 'value', jsonb_build_object('x', cell, 'y', 'a', 'z', cell))) end,
         case when n % 3 = 0 and state = 'completed' then '[{"question_id": "q6", "value": "Quick and friendly, though the parcel came a day late."}]' else '[]' end::jsonb,
         '{"plan": "pro"}', case when state = 'partial' then '{q1,q2}' else '{q1,q2,q3,q4,q5,q6}' end::text[],
         case when state = 'completed' then 'nps' end, case when state = 'completed' then nps end, case when state = 'completed' then case when nps > 8 then 'promoter' when nps > 6 then 'passive' else 'detractor' end end,
         at - interval '1 minute', case when state <> 'partial' then at end, '{}', '[]', '{}', '{}', at
       from made cross join lateral (select case when r < 0.85 then 'completed' when r < 0.95 then 'partial' when r < 0.98 then 'screened_out' when r < 0.99 then 'quarantined' else 'deleted' end as state) as fate
       cross join (select tenant_id, id from surveys where id = $1) as s order by n`,
      [parseId('survey', surveyId), count],
    ),
  )
  // As above: a year of responses came at once.
  await services.database.asOwner((owner) => owner.query('vacuum analyze'))
}

async function rollAll(system: Parameters<Parameters<typeof services.run>[0]>[0]): Promise<void> {
  const sweep = { limit: 100, signal: new AbortController().signal, renew: async () => true }
  while ((await rollupSweep.run(system, sweep)) >= sweep.limit);
}

async function touch(count: number): Promise<void> {
  const rows = await services.database.asOwner((owner) =>
    owner.query<{ id: Id<'response'> }>(
      `select id from responses where survey_id = $1 and state = 'completed' order by id limit $2`,
      [parseId('survey', surveyId), count],
    ),
  )
  for (const { id } of rows) await call('POST', `/v1/responses/${formatId('response', id)}/quarantine`)
}

async function sizes(): Promise<Array<[string, string]>> {
  const rows = await services.database.asOwner((owner) =>
    owner.query<{ name: string; size: string; n: number }>(
      `select relname as name, pg_size_pretty(pg_total_relation_size(oid)) as size, reltuples::int as n from pg_class where relname in ('responses', 'report_rollups') order by relname desc`,
    ),
  )
  return rows.map(({ name, size, n }) => [name, `${n.toLocaleString('en')} rows, ${size} with their indexes`])
}

async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
  const answer = await fetch(base + path, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(path.startsWith('/v1') && { authorization: `Bearer ${token}` }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`)
  return (await answer.json()) as T
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN
}

function ms(value: number): string {
  return `${value.toFixed(0)} ms`
}

function seconds(value: number): string {
  return `${(value / 1000).toFixed(1)} s`
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
