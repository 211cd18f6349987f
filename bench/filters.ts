import { parseArgs } from 'node:util'
import { formatId, newId, parseId, type Id } from '../src/platform/ids.ts'
import { openHouse, seconds, timed } from './parts/house.ts'
import { say } from './parts/rig.ts'
import { rollAll } from './parts/year.ts'

const LIMIT_MS = 100
const DAY_MS = 86_400_000

const { values: options } = parseArgs({
  options: {
    responses: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '7' },
  },
})
const responses = Number(options.responses)
const rounds = Number(options.rounds)

const day = (ago: number) => new Date(Date.now() - ago * DAY_MS).toISOString().slice(0, 10)
const house = await openHouse()
const { call, sql } = house

say(`GET /v1/responses?filter, the first page, over HTTP, of ${responses.toLocaleString('en')} responses over a year.`)
say('Ten surveys, 500 agents, 100,000 people. Medians of warm calls.\n')

const surveys = await Promise.all(
  Array.from({ length: 10 }, async (_, n) => {
    const { id } = await call<{ id: string }>('POST', '/v1/surveys', {
      name: `Survey ${n}`,
      metric: 'nps',
      custom_fields: ['plan', 'seats'],
      questions: [
        { id: 'q1', type: 'nps', title: 'T' },
        { id: 'q2', type: 'single', title: 'T', choices: ['a', 'b', 'c'].map((each) => ({ id: each, label: each })) },
        { id: 'q3', type: 'open_text', title: 'T' },
      ],
    })
    await call('POST', `/v1/surveys/${id}/publish`)
    return id
  }),
)
await fill()
// A report of a survey with many responses asks for rollups, which bring facts.
for (const id of surveys) await call('GET', `/v1/surveys/${id}/report?from=${day(366)}`)
say(`rolling up ${seconds(await timed(() => rollAll(house)))}\n`)
const [agent, person] = await sampleIds()

type Test = [field: string, op: string, value?: unknown]
const single: Test[] = [
  ['survey_id', 'eq', surveys[3]],
  ['state', 'eq', 'quarantined'],
  ['state', 'eq', 'over_quota'],
  ['channel', 'eq', 'voice'],
  ['channel', 'eq', 'sms'],
  ['language', 'eq', 'fr'],
  ['language', 'eq', 'pl'],
  ['metric', 'eq', 'csat'],
  ['score', 'lte', 2],
  ['score', 'eq', 11],
  ['band', 'eq', 'detractor'],
  ['band', 'eq', 'nobody'],
  ['agent_id', 'eq', formatId('agent', newId('agent'))],
  ['agent_id', 'eq', formatId('agent', agent)],
  ['person_id', 'eq', formatId('person', person)],
  ['tag', 'eq', 'vip'],
  ['tag', 'eq', 'nobody'],
  ['quality_flag', 'eq', 'fast'],
  ['quality_flag', 'eq', 'nobody'],
  ['started_at', 'lt', day(360)],
  ['started_at', 'lt', day(400)],
  ['completed_at', 'lt', day(400)],
  ['completed_at', 'between', [day(200), day(199)]],
  ['duration_ms', 'gt', 3_000_000],
  ['custom.plan', 'eq', 'rare'],
  ['custom.plan', 'eq', 'none'],
  ['custom.seats', 'gt', 998],
  ['answer.q2', 'eq', 'c'],
  ['answer.q2', 'eq', 'none'],
  ['answer.q1', 'eq', 11],
  ['text', 'contains', 'refund'],
  ['text', 'contains', 'xylophone'],
  ['text', 'is_set'],
]
const pairs: Array<[Test, Test]> = [
  [
    ['survey_id', 'eq', surveys[3]],
    ['band', 'eq', 'detractor'],
  ],
  [
    ['survey_id', 'eq', surveys[3]],
    ['tag', 'eq', 'vip'],
  ],
  [
    ['band', 'eq', 'promoter'],
    ['agent_id', 'eq', formatId('agent', agent)],
  ],
  [
    ['language', 'eq', 'pl'],
    ['completed_at', 'lt', day(300)],
  ],
  [
    ['tag', 'eq', 'vip'],
    ['custom.plan', 'eq', 'rare'],
  ],
  [
    ['channel', 'eq', 'voice'],
    ['score', 'lte', 0],
  ],
]
const sorted: Test[][] = [
  [['survey_id', 'eq', surveys[3]]],
  [['state', 'eq', 'quarantined']],
  [['state', 'eq', 'completed']],
  [['channel', 'eq', 'voice']],
  [['language', 'eq', 'de']],
  [['band', 'eq', 'detractor']],
  [['tag', 'eq', 'vip']],
  [['agent_id', 'eq', formatId('agent', agent)]],
  [['completed_at', 'between', [day(200), day(170)]]],
  [['score', 'lte', 2]],
]
const orders = ['started_at', 'completed_at', 'score', 'duration_ms'].flatMap((field) => [field, `-${field}`])
let missed = 0
for (const sort of orders) for (const tests of [[], ...sorted]) missed += await measure(tests, { sort, limit: '100' })
for (const tests of [[], ...single.map((test) => [test])])
  missed += await measure(tests, { count: 'true', limit: '100' }, isCountedBySight(tests) ? 600 : 250)
for (const tests of [...single.map((test) => [test]), ...pairs]) missed += await measure(tests)
say(`\nlimits: ${missed === 0 ? 'held by every line' : `missed by ${missed} lines`}`)

await house.close()
process.exitCode = missed === 0 ? 0 : 1

function isCountedBySight(tests: Test[]): boolean {
  return tests.some(([field]) => /^(?:text|answer|custom|started_at|completed_at)/.test(field))
}

async function measure(tests: Test[], more: Record<string, string> = {}, limitMs = LIMIT_MS): Promise<number> {
  const filter = JSON.stringify({ all: tests.map(([field, op, value]) => ({ field, op, value })) })
  const path = `/v1/responses?${new URLSearchParams({ filter, ...more })}`
  const { data, count } = await call<{ data: unknown[]; count?: { matching: unknown } }>('GET', path)
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const started = performance.now()
    await call('GET', path)
    times.push(performance.now() - started)
  }
  const median = times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? NaN
  const name = tests.map(([field, op, value]) => `${field} ${op} ${short(value)}`).join(' and ')
  const extra = [more['sort'] ?? '', count ? JSON.stringify(count.matching) : ''].join(' ')
  say(
    `${median > limitMs ? 'MISSED' : '      '} ${median.toFixed(0).padStart(5)} ms  ${data.length.toString().padStart(2)} rows  ${name} ${extra}`,
  )
  return median > limitMs ? 1 : 0
}

async function fill(): Promise<void> {
  await sql(
    `with surveys as (select tenant_id, id, row_number() over (order by id) - 1 as nr from surveys),
         made as materialized (
           select n, now() - interval '365 days' * (1 - n::float8 / $1) as at, floor(random() * 11)::int as nps,
             random() as r, random() as s, floor(random() * 500)::int as agent, floor(random() * 100000)::int as person
           from generate_series(1, $1::int) as n)
       insert into responses (tenant_id, id, survey_id, survey_version, state, channel, language, answers, text, custom_data, path, metric, score, band, agent_id, person_id,
         started_at, completed_at, duration_ms, tags, notes, quality_flags, quotas, updated_at)
       select v.tenant_id,
         (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7' || substr(md5(n::text), 1, 3) || '8' || substr(md5(n::text), 4, 15))::uuid,
         v.id, 1, case when r < 0.001 then 'quarantined' when r < 0.1 then 'partial' else 'completed' end,
         case when s < 0.0005 then 'voice' when s < 0.3 then 'email' else 'web' end, case when s > 0.9995 then 'pl' when s > 0.7 then 'de' else 'en' end,
         jsonb_build_array(jsonb_build_object('question_id', 'q1', 'type', 'nps', 'value', nps), jsonb_build_object('question_id', 'q2', 'type', 'single', 'value', case when r > 0.9995 then 'c' else 'a' end)),
         case when n % 3 = 0 then case when r > 0.9997 then '[{"question_id": "q3", "value": "I want a refund, now."}]' else '[{"question_id": "q3", "value": "Quick and friendly, though the parcel came a day late."}]' end else '[]' end::jsonb,
         jsonb_build_object('plan', case when s < 0.0004 then 'rare' else 'pro' end, 'seats', n % 1000), '{q1,q2,q3}', 'nps', nps,
         case when nps > 8 then 'promoter' when nps > 6 then 'passive' else 'detractor' end,
         md5('agent' || agent)::uuid, md5('person' || person)::uuid, at - interval '1 minute', case when r >= 0.1 then at end, (s * 600000)::bigint,
         case when r between 0.5 and 0.5005 then '{vip}' else '{}' end::text[], '[]', case when s between 0.5 and 0.5005 then '{fast}' else '{}' end::text[], '{}', at
       from made join surveys v on v.nr = n % 10 order by n`,
    [responses],
  )
  // A year of responses came at once. Autovacuum would have seen them day by day.
  await sql('vacuum analyze responses')
}

async function sampleIds(): Promise<[Id<'agent'>, Id<'person'>]> {
  const [row] = await sql<{ agent_id: Id<'agent'>; person_id: Id<'person'> }>(
    'select agent_id, person_id from responses limit 1',
  )
  if (!row || !parseId('survey', surveys[0] ?? '')) throw new Error('nothing was filled')
  return [row.agent_id, row.person_id]
}

function short(value: unknown): string {
  return value === undefined ? '' : String(value).slice(0, 24)
}
