import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createPgDatabase } from '../../../adapters/postgres/postgres.ts'
import { createLog } from '../../../platform/config/log.ts'
import { migrate } from '../../../platform/database/migrate.ts'
import { Secret } from '../../../platform/config/secrets.ts'
import { formatId, parseId, type Id, type TenantId } from '../../../platform/ids.ts'
import { createWorkspace } from '../../../testing/fixtures.ts'
import { createDatabase, startTestServer, type TestServer } from '../../../testing/harness.ts'
import { publishSurvey } from '../../../testing/survey-fixtures.ts'
import { askForRollups, passHours } from '../reporting/rollups/rollups.fixture.ts'

const DAYS = 2
const A_DAY = 300
// Each is in a few responses of each survey, at one of two questions.
const WORDS = [
  'Xylophone',
  'a b c d',
  'abcdef',
  'a kit \u212Ait',
  '\u212Ait',
  'd\u0131m and dIm',
  '9 lives in 2024',
  'He said "hello\\there"',
  'line\nbreak\ttab',
  'Straße ÜBER',
  'O’Neil’s',
  `${'long'.repeat(600)}tail`,
  'under_score-dash',
  '\u{1F600}smile',
]
const TESTS = [
  'xylo',
  'LOPHONE',
  'a b c',
  'abc',
  'kit',
  '\u212Ait',
  'd\u0131m',
  'dim',
  '9 lives',
  '2024',
  '"hello\\there"',
  'llo\\the',
  'line\nbreak',
  'line\\nbreak',
  'ße über',
  'straße',
  'SSE',
  'neil’s',
  'longtail',
  'tai',
  'r_sco',
  'smile',
  'nobody wrote',
].map((value) => ({ field: 'text', op: 'contains', value }))
const OTHERS = [
  { field: 'custom.plan', op: 'eq', value: 'gold' },
  { field: 'custom.plan', op: 'one_of', value: ['gold', 'Ærø "x"'] },
  { field: 'custom.plan', op: 'contains', value: 'RØ "' },
  { field: 'custom.seats', op: 'eq', value: '12' },
  { field: 'custom.seats', op: 'gt', value: 11 },
  { field: 'custom.seats', op: 'between', value: [11.5, 12.5] },
  { field: 'answer.nps', op: 'eq', value: '3' },
  { field: 'answer.nps', op: 'lt', value: 4 },
  { field: 'answer.pick', op: 'one_of', value: ['b', 'c'] },
  { field: 'answer.many', op: 'eq', value: 'z' },
]

describe('a list by facts is the list of a walk over every row', () => {
  let server: TestServer
  let token: string
  let surveys: string[]
  let drop = async () => {}

  beforeAll(async () => {
    const options = { now: new Date('2026-03-06T12:00:00Z') }
    if (inject('nodeUrls').length === 1) {
      // In Danish, "aa" comes after "z", in ids too, and a Kelvin sign has the lower case "k".
      const database = await createDatabase(`template0 locale_provider icu icu_locale 'da' locale 'C'`)
      drop = database.drop
      const url = new Secret(database.url)
      const adapter = createPgDatabase({
        url,
        migrationUrl: url,
        poolSize: 2,
        connection: 'pool',
        log: createLog('silent'),
      })
      await migrate(adapter)
      await adapter.close()
      server = await startTestServer({ ...options, databaseUrl: database.url })
    } else server = await startTestServer(options)
    const workspace = await createWorkspace(server)
    token = workspace.token
    const choices = ['a', 'b', 'c', 'z'].map((id) => ({ id, label: id }))
    const questions = [
      { id: 'nps', type: 'nps', title: 'T' },
      { id: 'pick', type: 'single', title: 'T', choices },
      { id: 'many', type: 'multi', title: 'T', choices },
      ...['why', 'how', 'aa', 'z'].map((id) => ({ id, type: 'open_text', title: 'T' })),
    ]
    const body = { questions, languages: ['en'], custom_fields: ['plan', 'seats'] }
    surveys = [await publishSurvey(server, token, body), await publishSurvey(server, token, body)]
    for (const [index, id] of surveys.entries()) await fill(uuidOf(id), index)
    const tenantId = parseId('workspace', workspace.workspaceId) as TenantId
    await askForRollups({ server, tenantId }, surveys)
    await passHours({ server }, 1)
  })
  afterAll(async () => {
    await server.close()
    await drop()
  })

  const uuidOf = (id: string) => parseId('survey', id) as Id<'survey'>

  // Ids are in no order of time, and moments differ by microseconds at the edges of blocks.
  async function fill(surveyId: Id<'survey'>, index: number): Promise<void> {
    await server.peek(
      `insert into responses (tenant_id, id, survey_id, survey_version, state, channel, language, answers, text, custom_data, path, metric, score, band,
         started_at, completed_at, tags, notes, quality_flags, quotas, updated_at)
       select s.tenant_id, overlay(overlay(md5((n * 2 + $3::int)::text) placing '7' from 13) placing '8' from 17)::uuid,
         s.id, 1, 'completed', 'web', 'en',
         jsonb_build_array(jsonb_build_object('question_id', 'nps', 'type', 'nps', 'value', case when n % 41 = 5 then 3 else 9 end),
           jsonb_build_object('question_id', 'pick', 'type', 'single', 'value', case when n % 90 = 1 then 'b' when n % 90 = 2 then 'c' else 'a' end),
           jsonb_build_object('question_id', 'many', 'type', 'multi', 'value', case when n % 77 = 4 then '["a", "z"]' else '["a"]' end::jsonb)),
         case when n % 5 = 4 then '[]' else jsonb_build_array(
           jsonb_build_object('question_id', 'why', 'value', case when n % 2 = 0 and n / 2 % 29 < $5 then ($4::text[])[n / 2 % 29 + 1] else 'fine ' || n end),
           jsonb_build_object('question_id', case when n % 3 = 0 then 'z' else 'aa' end, 'value', case when n / 3 % 31 < $5 then ($4::text[])[n / 3 % 31 + 1] || ' again' else 'good' end)) end,
         jsonb_build_object('plan', case when n % 64 = 9 then 'gold' when n % 64 = 8 then 'Ærø "x"' else 'basic' end, 'seats', case when n % 50 = 3 then 12 else 7.5 end),
         '{}', 'nps', n % 11, 'passive', made.started, made.ended, '{}', '[]', '{}', '{}', made.ended
       from surveys s cross join (
         select n, ended, ended - interval '1 second' * (n * 7919 % 5000) as started
         from (select n, timestamptz '2026-03-01T00:00:00Z' + interval '1 day' * (n / ${A_DAY}) + interval '4 minutes' * (n % ${A_DAY} / 9)
             + interval '1 microsecond' * (n % 9 * 300) as ended
           from generate_series(0, $2::int) as n) as ends) as made
       where s.id = $1`,
      [surveyId, DAYS * A_DAY - 1, index, WORDS, WORDS.length],
    )
    await server.peek(
      `insert into verbatims (tenant_id, response_id, question_id, survey_id, completed_at, language, language_source, sentiment, sentiment_score,
         sentiment_source, topics_by_person, classified_at)
       select r.tenant_id, r.id, item ->> 'question_id', survey_id, completed_at, 'en', 'rules', 'neutral', (score - 5) / 10.0, 'rules', false, completed_at
       from responses r cross join lateral jsonb_array_elements(r.text) as given (item) where survey_id = $1`,
      [surveyId],
    )
  }

  async function listed(path: string, filter: object, query: Record<string, string>): Promise<string[]> {
    const keys: string[] = []
    let cursor: string | null = ''
    await server.peek('delete from rate_limits')
    while (cursor !== null) {
      const params = new URLSearchParams({ filter: JSON.stringify(filter), ...query })
      if (cursor) params.set('cursor', cursor)
      const { status, body, text } = await server.request('GET', `${path}?${params}`, { token })
      expect(status, text).toBe(200)
      keys.push(
        ...body.data.map(
          (row: { id?: string; response_id?: string; question_id?: string }) =>
            row.id ?? `${row.response_id}/${row.question_id}`,
        ),
      )
      cursor = body.next_cursor
    }
    return keys
  }

  /** Below `any`, no test has to hold, so the list is a walk. */
  async function expectWalk(filter: { all: object[] }, limit = '100'): Promise<number> {
    const walk = { any: [filter] }
    const responses = await listed('/v1/responses', walk, { limit: '100' })
    expect(await listed('/v1/responses', filter, { limit: '100' })).toEqual(responses)
    for (const sort of ['-completed_at', 'completed_at', '-sentiment'])
      expect(await listed('/v1/verbatim', filter, { sort, limit }), `${sort} ${JSON.stringify(filter)}`).toEqual(
        await listed('/v1/verbatim', walk, { sort, limit: '100' }),
      )
    return responses.length
  }

  test('by each word and each value', async () => {
    for (const one of TESTS) await expectWalk({ all: [one] })
    for (const one of OTHERS) await expectWalk({ all: [one] }, '20')
  }, 120_000)

  test('by several tests, of some surveys, beside what no list is led by', async () => {
    const [word, value, answer] = [
      { field: 'text', op: 'contains', value: 'xylo' },
      { field: 'custom.plan', op: 'one_of', value: ['gold', 'basic'] },
      { field: 'answer.nps', op: 'eq', value: '9' },
    ]
    const few = { field: 'answer.pick', op: 'one_of', value: ['b', 'c'] }
    const again = { field: 'text', op: 'contains', value: 'again' }
    const unknown = formatId('survey', '01900000-0000-7000-8000-000000000000' as Id<'survey'>)
    for (const tests of [
      [word, again],
      [word, value, answer],
      [{ all: [word, { any: [few, answer] }] }],
      [again, { not: word }, { not: { any: [few] } }],
      [{ not: { not: word } }, few],
      [word, { field: 'survey_id', op: 'eq', value: surveys[1] }],
      [word, { field: 'survey_id', op: 'one_of', value: [unknown, surveys[0]] }],
      [word, { field: 'survey_id', op: 'ne', value: surveys[0] }],
      [few, { field: 'text', op: 'is_set' }],
      [few, { field: 'answer.why', op: 'contains', value: 'fine' }],
    ])
      expect(await expectWalk({ all: tests })).toBeGreaterThan(0)
    expect(await expectWalk({ all: [word, { field: 'survey_id', op: 'eq', value: unknown }] })).toBe(0)
  }, 120_000)

  test('after changes that facts do not know yet, after they do, and without them', async () => {
    const gold = { all: [{ field: 'custom.plan', op: 'eq', value: 'gold' }] }
    const all = await listed('/v1/responses', { all: [] }, { limit: '100', survey_id: surveys[0] ?? '' })
    const before = await expectWalk(gold)
    for (const id of all.filter((_, at) => at % 60 === 1)) {
      const { status, text } = await server.request('PATCH', `/v1/responses/${id}`, {
        token,
        body: { custom_data: { plan: 'gold' } },
      })
      expect(status, text).toBe(200)
    }
    for (const id of all.filter((_, at) => at % 60 === 2))
      expect((await server.request('DELETE', `/v1/responses/${id}`, { token })).status).toBe(204)
    for (const id of all.filter((_, at) => at % 60 === 3))
      expect((await server.request('POST', `/v1/responses/${id}/quarantine`, { token })).status).toBe(200)
    expect(await expectWalk(gold)).toBeGreaterThan(before)
    await passHours({ server }, 1)
    await expectWalk(gold)
    await expectWalk({ all: TESTS.slice(0, 1) })
    // Facts of an earlier version beside new ones.
    await server.peek(
      `update report_facts set ids = null where cell = '["trigrams"]' and starts_at < '2026-03-02T00:00:00Z'`,
    )
    await expectWalk(gold)
    await server.peek(`delete from report_facts where starts_at >= '2026-03-02T00:00:00Z'`)
    await expectWalk({ all: TESTS.slice(0, 1) })
    for (const verb of ['close', 'archive'])
      expect((await server.request('POST', `/v1/surveys/${surveys[1]}/${verb}`, { token })).status).toBe(200)
    await expectWalk(gold)
  }, 120_000)
})
