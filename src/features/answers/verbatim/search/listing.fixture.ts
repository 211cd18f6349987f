import { afterAll, beforeAll, expect, test } from 'vitest'
import { formatId, parseId, type Id, type TenantId } from '../../../../platform/ids.ts'
import { createWorkspace, runSweep } from '../../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../../testing/harness.ts'
import { publishSurvey, submit } from '../../../../testing/survey-fixtures.ts'
import { askForRollups, passHours } from '../../reporting/rollups/rollups.fixture.ts'
import { newTextsSweep } from '../verbatim.feature.ts'

const DAYS = 8
const A_DAY = 400
// It is looked for without its accents.
const [RARE_WORD, RARE_PLAN] = ['Xýlöphone', 'gold']
const isRare = (text: string) => /x[yý]l[oö]phone/i.test(text)

interface Row {
  id: string
  text: string
  plan: string
  sentiment: number
}

export function listingSuite(engine: 'pg' | 'pglite'): void {
  let server: TestServer
  let token: string
  let surveyId: string
  let rows: Row[]

  beforeAll(async () => {
    server = await startTestServer({ engine, now: new Date('2026-03-10T12:00:00Z') })
    const workspace = await createWorkspace(server)
    token = workspace.token
    const questions = [
      { id: 'q1', type: 'nps', title: 'T' },
      { id: 'why', type: 'open_text', title: 'T' },
    ]
    surveyId = await publishSurvey(server, token, { questions, languages: ['en'], custom_fields: ['plan'] })
    await fill()
    const tenantId = parseId('workspace', workspace.workspaceId) as TenantId
    await askForRollups({ server, tenantId }, [surveyId])
    await passHours({ server }, 1)
    // Of today, which facts do not know yet.
    await submit(server, surveyId, { q1: 1, why: 'a xylophone today' }, { custom_data: { plan: 'gold' } })
    await runSweep(server, newTextsSweep)
    rows = await readRows()
  })
  afterAll(() => server.close())

  const uuid = () => parseId('survey', surveyId) as Id<'survey'>

  // Responses begin in another order than they end in, five end in the same moment, and a day is more than a block.
  async function fill(): Promise<void> {
    await server.peek(
      `insert into responses (tenant_id, id, survey_id, survey_version, state, channel, language, answers, text, custom_data, path, metric, score, band,
         started_at, completed_at, tags, notes, quality_flags, quotas, updated_at)
       select s.tenant_id, (lpad(to_hex((extract(epoch from made.started) * 1000)::bigint), 12, '0') || '7000' || '8' || substr(md5(n::text), 1, 15))::uuid,
         s.id, 1, 'completed', 'web', 'en', jsonb_build_array(jsonb_build_object('question_id', 'q1', 'type', 'nps', 'value', n % 11)),
         jsonb_build_array(jsonb_build_object('question_id', 'why', 'value', case when n % 310 = 7 then '${RARE_WORD} ' else 'fine ' end || n)),
         jsonb_build_object('plan', case when n % 270 = 9 then '${RARE_PLAN}' else 'basic' end), '{}', 'nps', n % 11, 'passive',
         made.started, made.ended, '{}', '[]', '{}', '{}', made.ended
       from surveys s cross join (
         select n, ended, ended - interval '1 second' * (n * 7919 % 5000) as started
         from (select n, timestamptz '2026-03-01T00:00:00Z' + interval '1 day' * (n / ${A_DAY}) + interval '3 minutes' * (n % ${A_DAY} / 5) as ended
           from generate_series(1, $2::int) as n) as ends) as made
       where s.id = $1`,
      [uuid(), DAYS * A_DAY - 1],
    )
    await server.peek(
      `insert into verbatims (tenant_id, response_id, question_id, survey_id, completed_at, language, language_source, sentiment, sentiment_score,
         sentiment_source, topics_by_person, classified_at)
       select tenant_id, id, 'why', survey_id, completed_at, 'en', 'rules', 'neutral', (score - 5) / 10.0, 'rules', false, completed_at from responses
       where survey_id = $1`,
      [uuid()],
    )
  }

  function readRows(): Promise<Row[]> {
    return server.peek<Row>(
      `select r.id, r.text -> 0 ->> 'value' as text, r.custom_data ->> 'plan' as plan, v.sentiment_score as sentiment
       from responses r join verbatims v on v.tenant_id = r.tenant_id and v.response_id = r.id where r.survey_id = $1 order by r.id`,
      [uuid()],
    )
  }

  const filterOf = (...tests: Array<[string, string, unknown]>) => ({
    all: tests.map(([field, op, value]) => ({ field, op, value })),
  })
  const byWord = filterOf(['text', 'contains', 'xyloPHONE'])
  const byPlan = filterOf(['custom.plan', 'eq', RARE_PLAN])

  /** All ids of a list, page by page. */
  async function idsIn(path: string, filter: object, query: Record<string, string> = {}): Promise<string[]> {
    const ids: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const params = new URLSearchParams({ limit: '3', filter: JSON.stringify(filter), ...query })
      if (cursor) params.set('cursor', cursor)
      const { status, body, text } = await server.request('GET', `${path}?${params}`, { token })
      expect(status, text).toBe(200)
      ids.push(...body.data.map((row: { id?: string; response_id?: string }) => row.response_id ?? row.id))
      cursor = body.next_cursor
    }
    return ids
  }

  async function expectAll(filter: object, passes: (row: Row) => boolean): Promise<void> {
    const oldest = rows.filter(passes)
    const ids = (some: Row[]) => some.map(({ id }) => formatId('response', id as Id<'response'>))
    const saddest = oldest.toSorted((a, b) => a.sentiment - b.sentiment || (a.id < b.id ? -1 : 1))
    expect(oldest.length).toBeGreaterThan(6)
    // A list of responses asks facts where the newest ones do not fill its page.
    expect(await idsIn('/v1/responses', filter, { limit: '100' })).toEqual(ids(oldest.toReversed()))
    expect(await idsIn('/v1/verbatim', filter)).toEqual(ids(oldest.toReversed()))
    expect(await idsIn('/v1/verbatim', filter, { sort: 'completed_at' })).toEqual(ids(oldest))
    expect(await idsIn('/v1/verbatim', filter, { sort: 'sentiment' })).toEqual(ids(saddest))
    expect(await idsIn('/v1/verbatim', filter, { sort: '-sentiment' })).toEqual(ids(saddest.toReversed()))
  }

  test('are counted as they are listed', async () => {
    for (const filter of [byWord, byPlan, { all: [byWord, byPlan] }]) {
      const query = new URLSearchParams({ filter: JSON.stringify(filter), count: 'true', limit: '500' })
      const { body } = await server.request('GET', `/v1/verbatim?${query}`, { token })
      expect(body.count.matching).toEqual({ n: body.data.length, exact: true })
    }
  })

  test('have every response once, in order, page by page, those of today too', async () => {
    await expectAll(byWord, ({ text }) => isRare(text))
    await expectAll(byPlan, ({ plan }) => plan === RARE_PLAN)
    expect(await idsIn('/v1/responses', byPlan)).toEqual(await idsIn('/v1/responses', byPlan, { limit: '100' }))
    const nested = { all: [byWord, { any: [byPlan, filterOf(['score', 'gte', 2])] }] }
    const score = ({ sentiment }: Row) => Math.round(sentiment * 10 + 5)
    await expectAll(nested, (row) => isRare(row.text) && (row.plan === RARE_PLAN || score(row) >= 2))
  })

  test('read a block of responses only if its facts and letters say that one may pass', async () => {
    const inBlock = (at: number) => rows.filter(({ text }) => text === `fine ${at}`)[0]?.id ?? ''
    const retext = (id: string, text: string) =>
      server.peek('update responses set text = $2::text::jsonb where id = $1', [
        id,
        JSON.stringify([{ question_id: 'why', value: text }]),
      ])
    // The first day has its xylophone in the first block, and nothing in the third one.
    await retext(inBlock(390), 'xylophone behind the back of the facts')
    await expectAll(byWord, ({ text }) => isRare(text))
    // A change that marks its quarter is read at once.
    const path = `/v1/responses/${formatId('response', inBlock(390) as Id<'response'>)}`
    const patched = await server.request('PATCH', path, { token, body: { tags: ['seen'] } })
    expect(patched.status, patched.text).toBe(200)
    rows = await readRows()
    await expectAll(byWord, ({ text }) => isRare(text))
    await passHours({ server }, 1)
    await expectAll(byWord, ({ text }) => isRare(text))
  })

  test('have their blocks from the next sweep on, in a database whose facts are of an earlier version', async () => {
    const unknown = () => server.peek(`select 1 from report_facts where cell = '["trigrams"]' and ids is null`)
    await server.peek(`update report_facts set ids = null where cell = '["trigrams"]'`)
    await expectAll(byPlan, ({ plan }) => plan === RARE_PLAN)
    await passHours({ server }, 1)
    expect(await unknown()).toEqual([])
    await expectAll(byPlan, ({ plan }) => plan === RARE_PLAN)
  })
}
