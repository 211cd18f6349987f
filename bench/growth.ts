import { parseArgs } from 'node:util'
import { features } from '../src/features.ts'
import { exportRunsSweep } from '../src/features/exports/exports/exports.feature.ts'
import { upkeep } from '../src/http/upkeep.ts'
import { parseId } from '../src/platform/ids.ts'
import { createSweepRunner } from '../src/platform/work/sweeps.ts'
import { openHouse, timed, type House } from './parts/house.ts'
import { machine, median, say } from './parts/rig.ts'
import { fillYear, rollAll } from './parts/year.ts'

// The same work over HTTP while one thing after another grows. All calls are warm, and nothing else runs.
const BASE_RESPONSES = 10_000
const SUBMISSIONS = 40
const ANSWERS = { answers: { q1: 9 } }

const { values: options } = parseArgs({
  options: {
    part: { type: 'string', multiple: true, default: ['responses', 'tenants', 'webhooks', 'surveys', 'people'] },
    responses: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '7' },
  },
})
const rounds = Number(options.rounds)

/** A house with a survey of 10,000 responses and a webhook, whose size does not change. */
interface Place extends House {
  survey: string
}

interface Axis {
  sizes: number[]
  /** Grows from one size to the next. */
  grow(place: Place, from: number, to: number): Promise<void>
}

const AXES: Record<string, Axis> = {
  responses: {
    sizes: [0, 100_000, 1_000_000, 10_000_000].filter((size) => size <= Number(options.responses)),
    grow: async (place, from, to) => void (await fillYear(place, to - from)),
  },
  tenants: {
    sizes: [1, 100, 10_000],
    async grow(place, from, to) {
      const copy = await startCopies(place, from, to)
      const ofTenant = `jsonb_build_object('tenant_id', made.id)`
      const id = `'${parseId('survey', place.survey)}'`
      await copy('workspaces', 'true', ofTenant)
      await copy('surveys', `id = ${id}`, ofTenant)
      await copy('survey_versions', `survey_id = ${id}`, ofTenant)
      await copy('webhooks', 'true', ofTenant)
      await copy('responses', `id in (select id from responses where survey_id = ${id} order by id limit 20)`, ofTenant)
      await copy.end()
    },
  },
  webhooks: {
    sizes: [1, 100, 1_000],
    async grow(place, from, to) {
      const copy = await startCopies(place, from, to)
      const ofAnotherSurvey = `jsonb_build_object('id', made.id, 'survey_ids', array[gen_random_uuid()])`
      await copy('webhooks', 'id in (select id from webhooks order by created_at limit 1)', ofAnotherSurvey)
      await copy.end()
    },
  },
  surveys: {
    sizes: [1, 100, 10_000],
    async grow(place, from, to) {
      const copy = await startCopies(place, from, to)
      const id = `'${parseId('survey', place.survey)}'`
      await copy('surveys', `id = ${id}`, `jsonb_build_object('id', made.id, 'name', 'Survey ' || made.n)`)
      const ofSurvey = `jsonb_build_object('id', gen_random_uuid(), 'survey_id', made.id)`
      await copy('survey_versions', `survey_id = ${id}`, ofSurvey)
      await copy.end()
    },
  },
  people: {
    sizes: [0, 1_000, 100_000, 1_000_000],
    grow: async ({ sql, workspaceId }, from, to) =>
      void (await sql(
        `insert into people (tenant_id, id, external_id, email_hash, language, attributes, created_at, updated_at, last_responded_at, last_score, last_band)
         select $1, gen_random_uuid(), 'crm-' || n, 'e' || n, 'en', jsonb_build_object('plan', (array['free', 'pro', 'team'])[1 + n % 3], 'seats', n % 100),
           now() - n * interval '1 second', now(), now() - (n % 300) * interval '1 day', n % 11, 'passive'
         from generate_series($2::int, $3::int - 1) as n`,
        [parseId('workspace', workspaceId), from, to],
      )),
  },
}

say(`${machine()}; PostgreSQL over a Unix socket, fsync off. Medians of ${rounds} warm calls, in ms.\n`)
for (const [name, axis] of Object.entries(AXES)) if (options.part.includes(name)) await measure(name, axis)

async function measure(name: string, { sizes, grow }: Axis): Promise<void> {
  const house = await openHouse()
  const place = { ...house, survey: await fillYear(house, BASE_RESPONSES) }
  await house.call('POST', '/v1/webhooks', { url: 'http://127.0.0.1:9/hooks', survey_ids: [place.survey] })
  await rollAll(place)
  const table: Array<Record<string, number>> = []
  let reached = sizes[0] ?? 0
  for (const size of sizes) {
    const filling = await timed(async () => {
      if (size > reached) await grow(place, reached, size)
      reached = size
      await place.sql('vacuum analyze')
      // The first look asks for rollups, which a worker makes within seconds.
      await openHome(place)
      await place.call('GET', '/v1/surveys?limit=50')
      await rollAll(place)
    })
    say(`      ${size.toLocaleString('en')} ${name} after ${(filling / 1000).toFixed(0)} s`)
    table.push(await figuresOf(place))
  }
  say(`\n${name.padEnd(34)}${sizes.map((size) => size.toLocaleString('en').padStart(12)).join('')}   last of first`)
  for (const what of Object.keys(table[0] ?? {})) {
    const values = table.map((figures) => figures[what] ?? Number.NaN)
    const ratio = (values.at(-1) ?? 0) / (values[0] ?? 1)
    say(
      `${what.padEnd(34)}${values.map((value) => value.toFixed(1).padStart(12)).join('')}${ratio.toFixed(2).padStart(16)}`,
    )
  }
  say('')
  await house.close()
}

async function figuresOf(place: Place): Promise<Record<string, number>> {
  const { call, survey } = place
  return {
    home: await often(() => openHome(place)),
    'responses, first page and count': await often(() => call('GET', '/v1/responses?limit=50&count=true')),
    'surveys, first page and count': await often(() => call('GET', '/v1/surveys?limit=50&count=true')),
    'people, first page and count': await often(() => call('GET', '/v1/people?limit=50&count=true')),
    'report of the survey': await often(() => call('GET', `/v1/surveys/${survey}/report`)),
    'what moved its score': await often(() => readMoved(place)),
    'webhooks with health': await often(() => call('GET', '/v1/webhooks?limit=50&include=health')),
    'delivery log with counts': await often(() => call('GET', '/v1/webhook-deliveries?limit=50')),
    submission: await often(() => call('POST', `/public/surveys/${survey}/responses`, ANSWERS), SUBMISSIONS),
    'export of 10,000 rows': await often(() => exportSurvey(place), 3),
    'a look for due sweeps': await often(() => lookForWork(place)),
  }
}

/** The call of the console's results that compares each group of answers with the period before. */
function readMoved({ call, survey }: Place): Promise<unknown> {
  const by = ['answer.q2', 'answer.q3', 'channel', 'language', 'topic', 'agent', 'team', 'custom.plan']
  const of = (more: object) => ({ source: 'responses', survey_ids: [survey], compare: 'previous', ...more })
  const queries = {
    whole: of({ measure: 'nps' }),
    texts: of({ measure: 'count', by: ['band', 'sentiment'] }),
    ...Object.fromEntries(by.map((each, at) => [`by${at}`, of({ measure: 'nps', by: [each], limit: 20 })])),
  }
  return call('POST', '/v1/figures', { period: { from: dayAgo(30), to: dayAgo(0) }, timezone: 'UTC', queries })
}

function dayAgo(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
}

/** The calls of the console's home, at once as it makes them. */
function openHome({ call }: House): Promise<unknown> {
  const previous = { compare: 'previous' }
  const ofNps = { filter: { all: [{ field: 'metric', op: 'eq', value: 'nps' }] } }
  const count = { source: 'responses', measure: 'count' }
  const queries = {
    nps: { source: 'responses', measure: 'nps', ...previous },
    began: { ...count, ...previous },
    completed: { source: 'responses', measure: 'completion_rate', ...previous },
    answered: { source: 'sends', measure: 'response_rate', ...previous },
    alerts: { source: 'alerts', measure: 'open_alerts' },
    surveys: { source: 'responses', measure: 'score', by: ['survey'], limit: 5, ...previous },
    bands: { ...count, by: ['band'], ...ofNps, ...previous },
    topics: { ...count, by: ['topic', 'band'], limit: 100, ...ofNps, ...previous },
  }
  const period = { from: dayAgo(30), to: dayAgo(0) }
  return Promise.all([
    call('POST', '/v1/figures', { period, timezone: 'UTC', queries }),
    call('GET', '/v1/verbatim?limit=4'),
    call('GET', '/v1/surveys?limit=1'),
    call('GET', '/v1/webhooks?limit=100&include=health'),
    call('GET', '/v1/sends?limit=1&count=true'),
    call('GET', '/v1/alerts?limit=1&sort=due_at&count=true'),
  ])
}

async function exportSurvey({ services, call, survey }: Place): Promise<void> {
  const run = { source: 'responses', survey_id: survey, format: 'csv' }
  const { id } = await call<{ id: string }>('POST', '/v1/export-runs', run)
  for (;;) {
    await services.run((system) =>
      exportRunsSweep.run(system, { limit: 100, signal: new AbortController().signal, renew: async () => true }),
    )
    const { status } = await call<{ status: string }>('GET', `/v1/export-runs/${id}`)
    if (status === 'failed') throw new Error('the export failed')
    if (status === 'completed') return
  }
}

async function lookForWork({ services }: House): Promise<void> {
  const sweeps = [...features, upkeep].flatMap((feature) => feature.sweeps ?? [])
  const runner = createSweepRunner(sweeps, services)
  await runner.look()
  await runner.stop()
}

/** Copies rows of the bench's workspace, once for each number from `from` to below `to`, with members of their own. */
async function startCopies({ sql, workspaceId }: House, from: number, to: number) {
  await sql(
    `create unlogged table made as select gen_random_uuid() as id, n from generate_series($1::int, $2::int - 1) as n`,
    [from, to],
  )
  const copy = async (table: string, rows: string, changed: string) => {
    const [{ columns } = { columns: '' }] = await sql<{ columns: string }>(
      `select string_agg(quote_ident(column_name), ', ') as columns from information_schema.columns
       where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER'`,
      [table],
    )
    await sql(
      `insert into ${table} (${columns}) select ${columns} from (
         select (jsonb_populate_record(null::${table}, to_jsonb(s) || ${changed})).*
         from (select * from ${table} where ${rows} and tenant_id = '${parseId('workspace', workspaceId)}' limit 20) as s, made) as r`,
    )
  }
  return Object.assign(copy, { end: () => sql('drop table made') })
}

async function often(work: () => Promise<unknown>, times = rounds): Promise<number> {
  await work()
  const took: number[] = []
  for (let n = 0; n < times; n++) took.push(await timed(work))
  return median(took)
}
