import { parseArgs } from 'node:util'
import { features } from '../src/features.ts'
import { parseId } from '../src/platform/ids.ts'
import { ms, openHouse, seconds, timed } from './parts/house.ts'
import { median, say } from './parts/rig.ts'

const SEARCH_MS = 300
const ERASURE_MS = 5_000
// No step may hold the event loop longer.
const STEP_MS = 50

const { values: options } = parseArgs({
  options: {
    responses: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '5' },
    many: { type: 'string', default: '20000' },
  },
})
const responses = Number(options.responses)
const rounds = Number(options.rounds)
const many = Number(options.many)

const statements: string[] = []
const house = await openHouse({ onStatement: (text) => void statements.push(text) })
const { services, call, sql } = house
const sweep = features.flatMap(({ sweeps = [] }) => sweeps).find(({ name }) => name === 'data-protection.requests')
if (!sweep) throw new Error('the sweep of requests has another name')
const run = () =>
  services.run((system) =>
    sweep.run(system, { limit: 100, signal: new AbortController().signal, renew: async () => true }),
  )

say(
  `Erasure of one person among ${responses.toLocaleString('en')} responses, each with its event, every tenth with a typed address, and ${(responses / 5).toLocaleString('en')} sends.`,
)
say('PostgreSQL over a Unix socket. The person typed an address into 20 responses and was invited twice.\n')

const surveyId = await publish()
// The older texts of a new workspace: none, so that no request waits for them.
await call('POST', '/v1/gdpr/requests', { kind: 'access', subject: { email: 'first@example.com' }, dry_run: true })
await run()
say(`filling               ${seconds(await timed(fill))}`)

const searches: number[] = []
const erasures: number[] = []
for (let round = 0; round < rounds; round++) {
  const email = `planted.${round}@example.com`
  await plant(email)
  await ask({ kind: 'erasure', subject: { email }, dry_run: true })
  searches.push(await timed(run))
  const id = await ask({ kind: 'erasure', subject: { email } })
  statements.length = 0
  erasures.push(await timed(run))
  const { status, counts } = await call<{ status: string; counts: object }>('GET', `/v1/gdpr/requests/${id}`)
  if (status !== 'completed') throw new Error(`the erasure is ${status}`)
  if (round === 0) say(`found                 ${JSON.stringify(counts)}`)
}
const [search, erasure] = [median(searches), median(erasures)]
say(
  `a search alone        ${ms(search)}, worst ${ms(Math.max(...searches))} (a dry run as the worker runs it; limit ${SEARCH_MS} ms)`,
)
say(
  `an erasure            ${ms(erasure)}, worst ${ms(Math.max(...erasures))} (limit ${ms(ERASURE_MS)}); ${statements.length} statements`,
)
const step = await longestStep()
say(
  `a step, at the most   ${ms(step)} of the event loop, for a person with ${many.toLocaleString('en')} responses (limit ${STEP_MS} ms)`,
)
say('\nThe plans of the search:')
for (const plan of await plans()) say(plan)

await house.close()
const missed = search > SEARCH_MS || erasure > ERASURE_MS || step > STEP_MS
say(`\nlimits                ${missed ? 'missed' : 'held'}`)
process.exitCode = missed ? 1 : 0

async function publish(): Promise<string> {
  const { id } = await call<{ id: string }>('POST', '/v1/surveys', {
    name: 'Bench',
    metric: 'nps',
    questions: [
      { id: 'q1', type: 'nps', title: 'T', required: true },
      { id: 'q2', type: 'open_text', title: 'T' },
    ],
  })
  await call('POST', `/v1/surveys/${id}/publish`)
  return id
}

/** The people around the one who is erased. */
async function fill(): Promise<void> {
  const values = [parseId('survey', surveyId), responses]
  await sql(
    `insert into responses (tenant_id, id, survey_id, survey_version, state, channel, language, answers, text, custom_data, path, metric, score, band, started_at, completed_at,
         tags, notes, quality_flags, quotas, updated_at)
       select s.tenant_id, gen_random_uuid(), s.id, 1, 'completed', 'web', 'en', '[{"question_id": "q1", "type": "nps", "value": 9}]',
         jsonb_build_array(jsonb_build_object('question_id', 'q2', 'value', 'Quick and friendly, number ' || n)), '{}', '{q1,q2}', 'nps', 9, 'promoter',
         now(), now(), '{}', '[]', '{}', '{}', now()
       from generate_series(1, $2::int) as n cross join (select tenant_id, id from surveys where id = $1) as s`,
    values,
  )
  await sql(
    `insert into events (tenant_id, id, type, survey_id, source, data, created_at)
       select tenant_id, gen_random_uuid(), 'response.completed', survey_id, 'response:' || id || ':completed',
         json_build_object('responseId', id, 'score', null, 'answers', answers, 'text', text, 'customData', custom_data)::text, now()
       from responses where survey_id = $1 limit $2`,
    values,
  )
  await sql(
    `insert into typed_contacts (tenant_id, hash, place, row_id)
       select tenant_id, replace(encode(sha256(id::text::bytea), 'base64'), '=', ''), 'responses', id
       from responses where survey_id = $1 and get_byte(uuid_send(id), 0) < 26 limit $2`,
    values,
  )
  await sql(
    `insert into sends (tenant_id, id, invitation_id, survey_id, channel, reminder, first_send_id, status, address_hash, masked, attempts, created_at, accepted_at)
       select s.tenant_id, given.id, s.id, s.id, 'email', 0, given.id, 'delivered', encode(sha256(given.id::text::bytea), 'base64'), 'g***@example.com', 1, now(), now()
       from (select gen_random_uuid() as id from generate_series(1, $2::int / 5)) as given cross join (select tenant_id, id from surveys where id = $1) as s`,
    values,
  )
  // Answers of the API, of which a day is kept.
  await sql(
    `insert into idempotency_keys (tenant_id, principal, route, key, id, request_hash, state, status, body, lease_until, created_at)
       select s.tenant_id, 'api_key:x', 'POST /v1/people', given.id::text, given.id, 'x', 'answered', 201, '{"email": "guest@example.com"}', now(), now()
       from (select gen_random_uuid() as id from generate_series(1, $2::int / 50)) as given cross join (select tenant_id, id from surveys where id = $1) as s`,
    values,
  )
  await sql('vacuum analyze')
}

async function plant(email: string): Promise<void> {
  for (let n = 0; n < 20; n++)
    await call('POST', `/public/surveys/${surveyId}/responses`, { answers: { q1: n % 11, q2: `I am ${email}` } })
  for (const name of ['P', 'Planted'])
    await call('POST', `/v1/surveys/${surveyId}/invite`, {
      channel: 'email',
      recipients: [{ email, name }],
    })
}

/** Runs each kind of request of one person with many responses. Returns the longest round, in processor time. */
async function longestStep(): Promise<number> {
  const email = 'talkative@example.com'
  const text = `I am ${email}, and this is what I have to say`
  for (let n = 0; n < many; n += 50)
    await Promise.all(
      Array.from({ length: 50 }, () =>
        call('POST', `/public/surveys/${surveyId}/responses`, { answers: { q1: 9, q2: text } }),
      ),
    )
  let longest = 0
  for (const body of [
    { kind: 'erasure', subject: { email }, dry_run: true },
    { kind: 'access', subject: { email } },
    { kind: 'erasure', subject: { email } },
  ]) {
    const id = await ask(body)
    const watch = watchRounds()
    await run()
    longest = Math.max(longest, watch.stop())
    const { status } = await call<{ status: string }>('GET', `/v1/gdpr/requests/${id}`)
    if (status !== (body.dry_run ? 'ready' : 'completed')) throw new Error(`a large ${body.kind} is ${status}`)
  }
  return longest
}

function watchRounds(): { stop(): number } {
  let longest = 0
  let before = process.threadCpuUsage()
  const timer = setInterval(() => {
    const { user, system } = process.threadCpuUsage(before)
    longest = Math.max(longest, (user + system) / 1_000)
    before = process.threadCpuUsage()
  }, 1)
  return {
    stop() {
      clearInterval(timer)
      return longest
    },
  }
}

async function ask(body: object): Promise<string> {
  return (await call<{ id: string }>('POST', '/v1/gdpr/requests', body)).id
}

async function plans(): Promise<string[]> {
  const [tenant] = await sql<{ tenant_id: string; id: string; hash: string }>(
    `select r.tenant_id, r.id, c.hash from responses r join typed_contacts c on c.row_id = r.id limit 1`,
  )
  const { tenant_id: t, id, hash } = tenant ?? { tenant_id: '', id: '', hash: '' }
  const queries = [
    `select distinct row_id from typed_contacts where tenant_id = '${t}' and hash = any(array['${hash}', '']) and place = 'responses'`,
    `select id from sends where tenant_id = '${t}' and address_hash = any(array['${hash}']) and address_hash <> ''`,
    `select e.id from unnest(array['response:${id}:']) as given(source) cross join lateral (
       select id from events where tenant_id = '${t}' and source >= given.source and source < rtrim(given.source, ':') || ';' and source >= '' offset 0) e`,
  ]
  const found: string[] = []
  for (const query of queries) {
    const rows = await sql<{ 'QUERY PLAN': string }>(`explain (analyze, costs off, timing off, summary off) ${query}`)
    found.push(rows.map((row) => `  ${row['QUERY PLAN']}`).join('\n'))
  }
  return found
}
