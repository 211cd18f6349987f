import { parseArgs } from 'node:util'
import { parseId } from '../src/platform/ids.ts'
import { openHouse, seconds, timed } from './parts/house.ts'
import { say } from './parts/rig.ts'
import { rollAll } from './parts/year.ts'

const LIMIT_MS = 200
const { values: options } = parseArgs({
  options: { texts: { type: 'string', default: '1000000' }, rounds: { type: 'string', default: '7' } },
})
const texts = Number(options.texts)

const house = await openHouse()
const { call, sql } = house

const survey = await call<{ id: string }>('POST', '/v1/surveys', {
  name: 'Bench',
  metric: 'nps',
  questions: [
    { id: 'q1', type: 'nps', title: 'T' },
    { id: 'why', type: 'open_text', title: 'T' },
  ],
})
await call('POST', `/v1/surveys/${survey.id}/publish`)
const { data: topics } = await call<{ data: Array<{ id: string }> }>('GET', '/v1/topics?limit=1')
const topic = topics[0]?.id ?? ''

say(`GET /v1/verbatim, first page of 20, over ${texts.toLocaleString('en')} texts of 8 words in a year.`)
say(`filling ${((await timed(fill)) / 1000).toFixed(0)} s`)
// A report of a survey with many responses asks for rollups, which bring facts.
await call('GET', `/v1/surveys/${survey.id}/report`)
say(`rolling up ${seconds(await timed(() => rollAll(house)))}`)
const byTest = (field: string, op: string, value: unknown) => JSON.stringify({ all: [{ field, op, value }] })
const cases: Array<[string, Record<string, string>]> = [
  ['no search', {}],
  ['a common word, in half of all', { search: 'common' }],
  ['a rare word, in 1 of 10,000', { search: 'rare' }],
  ['a word that is nowhere', { search: 'zebra' }],
  ['two words in 1 of 10 each', { search: 'tenth third' }],
  ['two words that never meet', { search: 'even odd' }],
  ['a quote', { search: '"tenth third"' }],
  ['a prefix, 1 of 20', { search: 'deliv*' }],
  ['without a word', { search: 'common -tenth' }],
  ['or', { search: 'rare or zebra or tenth' }],
  ['a word and a topic', { search: 'tenth', filter: byTest('topic', 'eq', topic) }],
  ['negative', { filter: byTest('sentiment', 'one_of', ['negative']) }],
  ['by a score', { filter: byTest('score', 'eq', 3) }],
  ['a word, most negative first', { search: 'rare', sort: 'sentiment' }],
  ['most negative first', { sort: 'sentiment' }],
  ['contains a common word', { filter: byTest('text', 'contains', 'common') }],
  ['contains a rare word', { filter: byTest('text', 'contains', 'rare') }],
  ['contains a word that is nowhere', { filter: byTest('text', 'contains', 'zebra') }],
  ['contains a rare word, oldest first', { filter: byTest('text', 'contains', 'rare'), sort: 'completed_at' }],
  ['a rare answer', { filter: byTest('answer.q1', 'eq', 11) }],
  ['a rare answer and a common word', { search: 'common', filter: byTest('answer.q1', 'eq', 11) }],
]
let missed = 0
for (const [name, query] of cases) {
  const path = `/v1/verbatim?${new URLSearchParams(query)}`
  const { data } = await call<{ data: unknown[] }>('GET', path)
  const times = []
  for (let round = 0; round < Number(options.rounds); round += 1) times.push(await timed(() => call('GET', path)))
  const middle = times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? NaN
  if (middle > LIMIT_MS) missed += 1
  say(
    `${name.padEnd(34)} ${middle.toFixed(0).padStart(5)} ms   worst ${Math.max(...times)
      .toFixed(0)
      .padStart(5)} ms   ${data.length} rows`,
  )
}
say(`\nlimit ${LIMIT_MS} ms: ${missed === 0 ? 'held' : `missed by ${missed}`}`)

await house.close()
process.exitCode = missed === 0 ? 0 : 1

/** Texts as the sweep stores them, written by SQL. */
async function fill(): Promise<void> {
  await sql(
    `create unlogged table filling as
     select n, (lpad(to_hex((extract(epoch from now()) * 1000)::bigint - 31536000000 * ($1::bigint - n) / $1::bigint), 12, '0')
         || '7' || substr(md5(n::text), 1, 3) || '8' || substr(md5(n::text), 4, 15))::uuid as id,
       now() - interval '365 days' * (($1::float8 - n) / $1) as at,
       array_remove(array['w' || n % 5000, 'x' || n % 301, 'y' || n % 97, case when n % 2 = 0 then 'common' end,
         case when n % 2 = 0 then 'even' else 'odd' end, case when n % 10 = 0 then 'tenth' end, case when n % 10 in (0, 3) then 'third' end,
         case when n % 20 = 1 then 'deliveri' end, case when n % 10000 = 7 then 'rare' end], null) as words
     from generate_series(1, $1::int) as n`,
    [texts],
  )
  const place = `(select tenant_id, id as survey_id from surveys where id = $1) s`
  const survey_id = parseId('survey', survey.id)
  await sql(
    `insert into responses (tenant_id, id, survey_id, survey_version, state, channel, language, answers, text, custom_data, path, metric, score, band,
       started_at, completed_at, tags, notes, quality_flags, quotas, updated_at)
     select s.tenant_id, f.id, s.survey_id, 1, 'completed', 'web', 'en',
       jsonb_build_array(jsonb_build_object('question_id', 'q1', 'type', 'nps', 'value', case when f.n % 10000 = 8 then 11 else f.n % 11 end)),
       jsonb_build_array(jsonb_build_object('question_id', 'why', 'value', array_to_string(f.words, ' '))), '{}', '{}', 'nps', f.n % 11, 'passive',
       f.at, f.at, '{}', '[]', '{}', '{}', f.at
     from filling f cross join ${place} order by f.id`,
    [survey_id],
  )
  await sql(
    `insert into verbatims (tenant_id, response_id, question_id, survey_id, completed_at, language, language_source, sentiment, sentiment_score,
       sentiment_source, topics_by_person, classified_at)
     select s.tenant_id, f.id, 'why', s.survey_id, f.at, 'en', 'rules', (array['negative', 'neutral', 'positive'])[1 + f.n % 3], (f.n % 3) - 1,
       'rules', false, f.at
     from filling f cross join ${place} order by f.id`,
    [survey_id],
  )
  await sql(
    `insert into verbatim_topics (tenant_id, response_id, question_id, topic_id, confidence, source)
     select s.tenant_id, f.id, 'why', $2, 0.6, 'rules' from filling f cross join ${place} where f.n % 7 = 0 order by f.id`,
    [survey_id, parseId('topic', topic)],
  )
  await sql(
    `insert into verbatim_words (tenant_id, word, response_id, question_id)
     select s.tenant_id, word, f.id, 'why' from filling f cross join ${place} cross join unnest(f.words) as word order by word, f.id`,
    [survey_id],
  )
  await sql('drop table filling')
  await sql('vacuum analyze')
}
