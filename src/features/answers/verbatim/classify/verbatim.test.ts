import { AsyncResource } from 'node:async_hooks'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createApiKey, createWorkspace, runSweep, withListener } from '../../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../../testing/harness.ts'
import { publishSurvey, submit } from '../../../../testing/survey-fixtures.ts'
import { CLASSIFIED, type Classification, type ClassifiedText } from '../../../../platform/work/listeners.ts'
import { newTextsSweep, topicRunsSweep } from '../verbatim.feature.ts'

const QUESTIONS = [
  { id: 'q1', type: 'nps', title: 'T' },
  { id: 'why', type: 'open_text', title: 'T' },
  { id: 'mail', type: 'open_text', title: 'T', format: 'email' },
  { id: 'who', type: 'contact', title: 'T' },
  { id: 'pick', type: 'single', title: 'T', choices: [{ id: 'a', label: 'A' }], allow_other: true },
]

let server: TestServer
let token: string
let surveyId: string
const told: ClassifiedText[] = []
const note = async ({ texts }: Classification) => void told.push(...texts)
beforeAll(async () => {
  server = await startTestServer({ env: { LOG_LEVEL: 'error' } })
})
beforeEach(async () => {
  told.length = 0
  ;({ token } = await createWorkspace(server))
  surveyId = await publishSurvey(server, token, { questions: QUESTIONS, languages: ['en', 'de', 'es'] })
})
afterAll(() => server.close())

const classify = () => runSweep(server, withListener(newTextsSweep, CLASSIFIED, note))
const again = () => runSweep(server, topicRunsSweep)

async function answer(why: string, rest: Record<string, unknown> = {}, language = 'en'): Promise<string> {
  const made = await submit(server, surveyId, { q1: 3, why, ...rest }, { language })
  expect(made, made.text).toMatchObject({ status: 201 })
  return made.body.id
}

async function list(query: Record<string, string> = {}) {
  const found = await server.request('GET', `/v1/verbatim?${new URLSearchParams(query)}`, { token })
  expect(found, found.text).toMatchObject({ status: 200 })
  return found.body
}

const textsOf = async (query: Record<string, string>) =>
  (await list(query)).data.map((row: { text: string }) => row.text)
const byTest = (field: string, op: string, value?: unknown) => ({
  filter: JSON.stringify({ all: [{ field, op, value }] }),
})

describe('classification', () => {
  test('gives each text of a completed response its language, sentiment and topics', async () => {
    const id = await answer('Die Lieferung kam viel zu spät, wirklich sehr ärgerlich.', {
      mail: 'a@example.com',
      who: { email: 'b@example.com' },
    })
    expect((await list()).data).toEqual([])
    await classify()
    const { data } = await list()
    expect(data).toEqual([
      {
        response_id: id,
        survey_id: surveyId,
        question_id: 'why',
        text: 'Die Lieferung kam viel zu spät, wirklich sehr ärgerlich.',
        language: 'de',
        sentiment: { label: 'negative', score: expect.any(Number), source: 'rules' },
        topics: expect.arrayContaining([expect.objectContaining({ name: 'Delivery', source: 'rules' })]),
        band: 'detractor',
        score: 3,
        agent_id: null,
        completed_at: server.clock.now().toISOString(),
        tags: [],
      },
    ])
    expect(told).toMatchObject([{ questionId: 'why', sentiment: { label: 'negative' }, language: 'de' }])
  })

  test('takes the words of an "other", and leaves out unfinished, quarantined and deleted responses', async () => {
    const kept = await answer('Great service', { pick: { other: 'Horrible price' } })
    const held = await answer('Good enough')
    const gone = await answer('Nice people')
    await submit(server, surveyId, { why: 'not done yet' }, { completed: false })
    await classify()
    await server.request('POST', `/v1/responses/${held}/quarantine`, { token })
    await server.request('DELETE', `/v1/responses/${gone}`, { token })
    const { data } = await list()
    expect(data.map((row: { response_id: string; question_id: string }) => [row.response_id, row.question_id])).toEqual(
      [
        [kept, 'why'],
        [kept, 'pick'],
      ],
    )
    expect(
      await server.peek(
        `select 1 from verbatim_words w join responses r on r.tenant_id = w.tenant_id and r.id = w.response_id where r.state = 'deleted'`,
      ),
    ).toEqual([])
    await server.request('POST', `/v1/responses/${held}/release`, { token })
    await classify()
    expect((await list()).data).toHaveLength(3)
  })

  test('of a crashed worker is done again after its lease, once', async () => {
    await answer('Great service')
    const failing = withListener(newTextsSweep, CLASSIFIED, async () => {
      throw new Error('killed')
    })
    await expect(runSweep(server, failing)).rejects.toThrow('killed')
    expect(await classify()).toBe(0)
    expect((await list()).data).toEqual([])
    server.clock.advance(61_000)
    expect(await classify()).toBe(1)
    expect(await classify()).toBe(0)
    expect((await list()).data).toHaveLength(1)
  })

  test('leaves texts that come during a sweep to the next one, which takes them together', async () => {
    await answer('Great service')
    let came = 0
    // Outside of the transaction that the listener is in.
    const another = AsyncResource.bind(() => answer(`Great service ${(came += 1)}`))
    const busy = withListener(newTextsSweep, CLASSIFIED, async () => {
      server.clock.advance(1_000)
      if (came < 3) await another()
    })
    expect(await runSweep(server, busy)).toBe(1)
    expect(await classify()).toBe(1)
  })
})

describe('the language of a text', () => {
  test('is one of its survey, so that English words have English feelings, and the word of a person stays', async () => {
    surveyId = await publishSurvey(server, token, { questions: QUESTIONS })
    const id = await answer('terrible awful horrible service, I hate it')
    await classify()
    expect((await list()).data).toMatchObject([{ language: 'en', sentiment: { label: 'negative' } }])
    expect(told).toMatchObject([{ language: 'en', sentiment: { label: 'negative' } }])
    await server.request('PATCH', `/v1/verbatim/${id}/why`, { token, body: { language: 'ro' } })
    await server.request('POST', '/v1/topics', { token, body: { name: 'All', keywords: { en: ['hate'] } } })
    await again()
    expect((await list()).data).toMatchObject([{ language: 'ro' }])
  })
})

describe('a correction', () => {
  test('by a person wins and stays when texts are classified again', async () => {
    const id = await answer('Great delivery')
    await classify()
    const topics = (await server.request('GET', '/v1/topics?limit=100', { token })).body.data
    const price = topics.find((row: { name: string }) => row.name === 'Price').id
    const patched = await server.request('PATCH', `/v1/verbatim/${id}/why`, {
      token,
      body: { sentiment: 'negative', topics: [price], language: 'de' },
    })
    expect(patched.body).toMatchObject({
      language: 'de',
      sentiment: { label: 'negative', score: -1, source: 'person' },
      topics: [{ topic_id: price, name: 'Price', confidence: 1, source: 'person' }],
    })
    await server.request('POST', '/v1/topics', {
      token,
      body: { name: 'All', keywords: { en: ['great'], de: ['great'] } },
    })
    expect(await again()).toBe(1)
    expect((await list()).data).toEqual([patched.body])
  })

  test('needs its permission, a text and known topics', async () => {
    const id = await answer('Great delivery')
    await classify()
    const { key } = await createApiKey(server, token, ['alerts.manage'])
    const path = `/v1/verbatim/${id}/why`
    expect(await server.request('PATCH', path, { token: key, body: {} })).toMatchObject({
      status: 403,
      body: { permission: 'responses.manage' },
    })
    expect((await server.request('PATCH', `/v1/verbatim/${id}/nope`, { token, body: {} })).status).toBe(404)
    expect(await server.request('PATCH', path, { token, body: { topics: ['top_x'] } })).toMatchObject({
      status: 422,
      body: { issues: [{ path: 'topics.0' }] },
    })
  })
})

describe('topics', () => {
  test('begin with a starter set in three languages, which stays deleted', async () => {
    const { data } = (await server.request('GET', '/v1/topics?limit=100', { token })).body
    expect(data.length).toBeGreaterThan(5)
    for (const topic of data) expect(Object.keys(topic.keywords).sort()).toEqual(['de', 'en', 'es'])
    for (const topic of data)
      expect((await server.request('DELETE', `/v1/topics/${topic.id}`, { token })).status).toBe(204)
    expect((await server.request('GET', '/v1/topics', { token })).body.data).toEqual([])
  })

  test('that change classify every text again in the background, with progress', async () => {
    for (let at = 0; at < 3; at += 1) await answer('The zebra was pink')
    await classify()
    const made = await server.request('POST', '/v1/topics', {
      token,
      body: { name: 'Zebras', keywords: { en: ['zebra'] } },
    })
    expect(made).toMatchObject({
      status: 201,
      body: { survey_ids: [], enabled: true, classification: { state: 'running', done: 0, total: 3 } },
    })
    expect(await textsOf(byTest('topic', 'eq', made.body.id))).toEqual([])
    expect(await again()).toBe(3)
    const path = `/v1/topics/${made.body.id}`
    expect((await server.request('GET', path, { token })).body.classification).toEqual({
      state: 'done',
      done: 3,
      total: 3,
    })
    expect(await textsOf(byTest('topic', 'eq', made.body.id))).toHaveLength(3)
    await server.request('PATCH', path, { token, body: { enabled: false } })
    await again()
    expect(await textsOf(byTest('topic', 'eq', made.body.id))).toEqual([])
  })

  test('are of known surveys', async () => {
    const body = { name: 'X', keywords: { en: ['x'] }, survey_ids: ['srv_01jz0000000000000000000000'] }
    expect(await server.request('POST', '/v1/topics', { token, body })).toMatchObject({
      status: 422,
      body: { issues: [{ path: 'survey_ids.0' }] },
    })
  })

  test('make the themes of a period', async () => {
    for (let at = 0; at < 6; at += 1) await answer('The delivery was terrible')
    for (let at = 0; at < 6; at += 1) await submit(server, surveyId, { q1: 10, why: 'Lovely staff' })
    await classify()
    server.clock.advance(1_000)
    const { data } = (await server.request('GET', '/v1/verbatim/themes?interval=day', { token })).body
    expect(data.find((row: { topic: { name: string } }) => row.topic.name === 'Delivery')).toMatchObject({
      n: 6,
      share: 50,
      score_impact: -7,
      score_impact_interval: null,
      trend: [{ n: 6 }],
      change: null,
    })
  })
})

describe('the list', () => {
  test('is searched by words in any form, quotes, or, minus and prefixes', async () => {
    const [a, b, c] = [
      'Two deliveries were late',
      'Die Lieferungen waren pünktlich, danke schön',
      'Delivered on time, friendly driver',
    ]
    await answer(a)
    await answer(b, {}, 'de')
    await answer(c)
    await classify()
    expect(await textsOf({ search: 'delivery' })).toEqual([a])
    expect(await textsOf({ search: 'lieferung' })).toEqual([b])
    expect(await textsOf({ search: 'deliv*' })).toEqual([c, a])
    expect(await textsOf({ search: '"on time"' })).toEqual([c])
    expect(await textsOf({ search: '"time on"' })).toEqual([])
    expect(await textsOf({ search: 'deliv* -friendly' })).toEqual([a])
    expect(await textsOf({ search: 'lieferung or driver' })).toEqual([c, b])
    expect(await textsOf({ search: '-driver' })).toEqual([b, a])
    expect(await textsOf({ search: `'; drop table verbatims; --` })).toEqual([])
    expect(await textsOf(byTest('text', 'search', 'deliv* -friendly'))).toEqual([a])
    const responses = await server.request(
      'GET',
      `/v1/responses?${new URLSearchParams(byTest('text', 'search', '"on time"'))}`,
      { token },
    )
    expect(responses.body.data).toHaveLength(1)
  })

  test('finds a word with the Turkish İ by its lower case, and by each of its spellings', async () => {
    const texts = ['Kargo İstanbul yolunda', 'Kargo istanbul yolunda', 'Kargo I\u0307STANBUL yolunda']
    for (const text of texts) await answer(text)
    await classify()
    for (const search of ['istanbul', 'İstanbul', 'İSTANBUL', 'i\u0307stanbul', 'İstan*', '"kargo istanbul"'])
      expect((await textsOf({ search })).toSorted(), search).toEqual(
        texts.map((text) => text.normalize('NFC')).toSorted(),
      )
    expect(await textsOf({ search: 'ıstanbul' })).toEqual([])
  })

  test('finds words with and without accents', async () => {
    const texts = ['Das Café in der Straße', 'Das Cafe in der Strasse', 'Les préférées de la crème brûlée']
    for (const text of texts) await answer(text)
    await classify()
    for (const search of [
      'cafe',
      'CAFÉ',
      'strasse',
      'Straße',
      'straß*',
      'strass*',
      '"cafe in der strasse"',
      'caf\u00e9',
    ])
      expect((await textsOf({ search })).toSorted(), search).toEqual(texts.slice(0, 2).toSorted())
    for (const search of ['preferees', 'préférées', 'creme brulee', '"creme brulee"', 'brul*'])
      expect(await textsOf({ search }), search).toEqual([texts[2]])
    expect(await textsOf({ search: 'krema' })).toEqual([])
  })

  test('finds texts by words that are common, together and without one another', async () => {
    const both = ['Late and cold, first', 'Cold and late, second', 'Late, and it was cold, third']
    for (const why of ['Only late', ...both, 'Only cold', 'Late, cold and rude']) await answer(why)
    await classify()
    // Words are common from 2,000 texts. These are texts of nobody.
    await server.services.database.asOwner((owner) =>
      owner.query(`
        insert into verbatim_words (tenant_id, word, response_id, question_id)
        select s.tenant_id, word, gen_random_uuid(), 'why' from (select tenant_id from surveys order by id desc limit 1) s
        cross join unnest(array['late', 'cold', 'rude']) as words (word) cross join generate_series(1, 2000)`),
    )
    // As autovacuum would. Before it comes, the planner expects one text of each word, and such a search takes seconds.
    await server.services.database.asOwner((owner) => owner.query('analyze verbatim_words'))
    const newest = ['Late, cold and rude', ...both.toReversed()]
    for (const search of ['late cold', '"late" cold late', 'late cold or late nowhere'])
      expect(await textsOf({ search }), search).toEqual(newest)
    expect(await textsOf({ search: 'late cold', sort: 'completed_at' })).toEqual(newest.toReversed())
    expect(await textsOf({ search: 'late cold -rude' })).toEqual(both.toReversed())
    expect(await textsOf({ search: 'late -cold' })).toEqual(['Only late'])
    expect(await textsOf({ search: 'late cold thir*' })).toEqual([both[2]])
    expect(await textsOf(byTest('text', 'search', 'late cold -rude'))).toEqual(both.toReversed())
    const first = await list({ search: 'late cold', limit: '2' })
    const second = await list({ search: 'late cold', limit: '2', cursor: first.next_cursor })
    expect([...first.data, ...second.data].map(({ text }: { text: string }) => text)).toEqual(newest)
  })

  // By the id of the response alone, a plan without statistics paired each text with all of its question: 8,000 texts
  // took minutes.
  test('looks for sentiment and topics by the key of each text', async () => {
    await answer('Too slow')
    await classify()
    const statementOf = async (test: object) => {
      server.statements.length = 0
      await list({ filter: JSON.stringify({ all: [test] }) })
      return server.statements.find(({ text }) => /from\s+verbatims v/.test(text))?.text
    }
    expect(await statementOf({ field: 'sentiment', op: 'eq', value: 'negative' })).not.toMatch(/from verbatims t/)
    expect(await statementOf({ field: 'topic', op: 'is_set' })).toMatch(
      /from verbatim_topics t where t\.tenant_id = \$\d+ and t\.response_id = "v"\."response_id"\s+and t\.question_id = v\.question_id/,
    )
  })

  test('is filtered by topic and sentiment, sorted, and paged without gaps', async () => {
    for (const why of ['Terrible delivery', 'It was blue', 'Excellent delivery', 'Bad delivery', 'Good delivery'])
      await answer(why)
    await classify()
    expect(await textsOf(byTest('sentiment', 'one_of', ['negative']))).toEqual(['Bad delivery', 'Terrible delivery'])
    expect(await textsOf(byTest('sentiment', 'gt', 0))).toEqual(['Good delivery', 'Excellent delivery'])
    for (const sort of ['-completed_at', 'completed_at', 'sentiment', '-sentiment']) {
      const whole = await textsOf({ sort })
      expect(whole).toHaveLength(5)
      const paged: string[] = []
      let cursor: string | null = null
      do {
        const page: Awaited<ReturnType<typeof list>> = await list({ sort, limit: '2', ...(cursor && { cursor }) })
        paged.push(...page.data.map((row: { text: string }) => row.text))
        cursor = page.next_cursor
      } while (cursor)
      expect(paged).toEqual(whole)
    }
    expect((await textsOf({ sort: 'sentiment' }))[0]).toBe('Terrible delivery')
    const { next_cursor: cursor } = await list({ sort: 'sentiment', limit: '2' })
    for (const other of [{ sort: '-sentiment' }, { sort: 'sentiment', search: 'delivery' }] as Record<string, string>[])
      expect(
        (await server.request('GET', `/v1/verbatim?${new URLSearchParams({ ...other, cursor })}`, { token })).body,
      ).toMatchObject({ status: 400, code: 'cursor_mismatch' })
    expect((await list({ sort: 'sentiment', limit: '3', count: 'true', cursor })).data).toHaveLength(3)
    expect((await server.request('GET', '/v1/verbatim?cursor=abc', { token })).status).toBe(400)
  })

  test('counts its texts, with and without filter and search', async () => {
    for (const why of ['Terrible delivery', 'It was blue', 'Excellent delivery']) await answer(why)
    await classify()
    const counted = async (query: Record<string, string>) => (await list({ count: 'true', limit: '1', ...query })).count
    const all = { n: 3, exact: true }
    expect(await counted({})).toEqual({ matching: all, all })
    expect(await counted({ search: 'delivery' })).toEqual({ matching: { n: 2, exact: true }, all })
    expect(await counted({ search: 'delivery or blue' })).toEqual({ matching: all, all })
    expect(await counted(byTest('sentiment', 'one_of', ['negative']))).toEqual({ matching: { n: 1, exact: true }, all })
    expect(await counted({ search: 'yellow' })).toEqual({ matching: { n: 0, exact: true }, all })
    expect((await list({})).count).toBeUndefined()
  })
})
