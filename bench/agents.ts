import { parseArgs } from 'node:util'
import { parseId } from '../src/platform/ids.ts'
import { openHouse, timed } from './parts/house.ts'
import { machine, median, say, verdict } from './parts/rig.ts'

// The leaderboard of 500 agents over a year of responses of one workspace, through the application.
const AGENTS = 500
const DAY_MS = 86_400_000

const { values: options } = parseArgs({
  options: { responses: { type: 'string', default: '1000000' }, rounds: { type: 'string', default: '11' } },
})

const house = await openHouse()
const { services, call, sql } = house
const questions = [{ id: 'q1', type: 'nps', title: 'T' }]
const survey = await call<{ id: string }>('POST', '/v1/surveys', { name: 'Bench', metric: 'nps', questions })
const agents: string[] = []
for (let n = 0; n < AGENTS; n++)
  agents.push((await call<{ id: string }>('POST', '/v1/agents', { external_id: `e-${n}`, name: `Agent ${n}` })).id)
say(`${machine()}; ${Number(options.responses).toLocaleString('en')} responses of a year, ${AGENTS} agents.\n`)
await sql(
  `insert into responses (tenant_id, id, survey_id, survey_version, state, channel, language, answers, text, custom_data, path, metric, score, band, agent_id,
       started_at, completed_at, tags, notes, quality_flags, quotas, updated_at)
     select s.tenant_id, gen_random_uuid(), s.id, 1, 'completed', 'web', 'en', jsonb_build_array(jsonb_build_object('question_id', 'q1', 'type', 'nps', 'value', nps)), '[]', '{}', '{q1}', 'nps', nps,
       case when nps > 8 then 'promoter' when nps > 6 then 'passive' else 'detractor' end, ($3::uuid[])[1 + floor(random() * $4)::int], at - interval '1 minute', at, '{}', '[]', '{}', '{}', at
     from (select now() - interval '365 days' * (1 - n::float8 / $2) as at, floor(random() * 11)::int as nps from generate_series(1, $2::int) as n) as made
     cross join (select tenant_id, id from surveys where id = $1) as s`,
  [parseId('survey', survey.id), Number(options.responses), agents.map((id) => parseId('agent', id)), AGENTS],
)
// As autovacuum leaves a table that grew day by day.
await sql('vacuum analyze')

const day = (ago: number) => new Date(services.clock.now().getTime() - ago * DAY_MS).toISOString().slice(0, 10)
const year = `from=${day(366)}&to=${day(0)}`
const cases: Array<[string, string, number]> = [
  ['leaderboard of a year, ms', `/v1/agents/leaderboard?${year}`, 300],
  ['leaderboard of 30 days, ms', '/v1/agents/leaderboard', 300],
  ['leaderboard of a year in a survey, ms', `/v1/agents/leaderboard?${year}&survey_id=${survey.id}`, 300],
  ['scorecard of a year, ms', `/v1/agents/${agents[0]}/scorecard?${year}`, 400],
]
for (const [what, path, atMost] of cases) {
  await call('GET', path)
  const times: number[] = []
  for (let round = 0; round < Number(options.rounds); round++) {
    times.push(await timed(() => call('GET', path)))
  }
  verdict(`${what}, worst ${Math.max(...times).toFixed(0)}, median`, median(times), { atMost }, 0)
}
await house.close()
