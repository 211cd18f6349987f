import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { EVERY_TYPE } from '../../../survey-engine/survey.fixture.ts'
import { createWorkspace } from '../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../testing/harness.ts'
import { createDraft, publishSurvey, submit, STORED_CHOICES } from '../../../testing/survey-fixtures.ts'

let server: TestServer
let token: string
beforeAll(async () => {
  server = await startTestServer()
  token = (await createWorkspace(server)).token
})
afterAll(() => server.close())

function go(responseToken: string, body: Record<string, unknown>) {
  return server.request('PATCH', `/public/responses/${responseToken}`, { body })
}

async function read(id: string) {
  return (await server.request('GET', `/v1/responses/${id}`, { token })).body
}

async function statesOf(surveyId: string): Promise<string[]> {
  const { body } = await server.request('GET', `/v1/responses?limit=100&survey_id=${surveyId}`, { token })
  return body.data.map(({ state }: { state: string }) => state).sort()
}

async function eventsOf(surveyId: string): Promise<Record<string, unknown>[]> {
  const rows = await server.peek<{ type: string; data: string }>(
    "select type, data from events where type like 'response.%' order by id",
  )
  return rows
    .map(({ type, data }) => ({ type, ...(JSON.parse(data) as object) }))
    .filter((event) => 'surveyId' in event && event.surveyId === surveyId)
}

describe('an answer', () => {
  const ANSWERS = {
    nps: 9,
    csat: 4,
    ces: 7,
    rating: 2,
    slider: 60,
    single: { other: 'Quince' },
    dropdown: 'b',
    multi: ['a', { other: 'Fig' }],
    picture: 'c',
    pictures: ['a', 'c'],
    ranking: ['c', 'a', 'b'],
    matrix: { speed: 'good', care: 'bad' },
    words: 'Zażółć 🎉 <b>&amp;',
    email: 'eve@example.com',
    url: 'https://example.com/x',
    number: '3.5',
    phone: '+49 30 123 4567',
    date: '2024-02-29',
    consent: true,
    contact: { name: 'Eve', email: 'eve@example.com' },
  }

  test('that is a number is read in the language of the response, and keeps its value when the answers change', async () => {
    const id = await publishSurvey(server, token, {
      metric: null,
      languages: ['en', 'de'],
      questions: [
        { id: 'n', type: 'open_text', title: 'T', format: 'number' },
        { id: 'w', type: 'open_text', title: 'T' },
      ],
    })
    for (const [n, language, value] of [
      ['3,5', 'de', '3.5'],
      ['1,234', 'de', '1.234'],
      ['1,234', 'en', '1234'],
      ['١٢', 'de', '12'],
      [1.234, 'de', '1.234'],
    ] as const) {
      const begun = await submit(server, id, { n }, { language, completed: false })
      expect((await go(begun.body.token, { answers: { w: 'x' }, completed: true })).body.state).toBe('completed')
      expect((await go(begun.body.token, { answers: { n }, completed: true })).status).toBe(200)
      expect((await read(begun.body.id)).text[0]).toEqual({ question_id: 'n', value })
    }
    expect((await submit(server, id, { n: '3,5' }, { language: 'en' })).body).toMatchObject({
      issues: [{ path: 'answers.n', message: 'Enter a number, such as 12 or 3.5.' }],
    })
  })

  test('of every type is kept, words and contact data in text alone', async () => {
    const id = await publishSurvey(server, token, { metric: 'nps', questions: EVERY_TYPE, custom_fields: ['plan'] })
    const answered = await submit(server, id, ANSWERS, {
      custom_data: { plan: 'pro' },
      language: 'de',
      channel: 'embed',
    })
    expect(answered).toMatchObject({ status: 201, body: { state: 'completed' } })
    const response = await read(answered.body.id)
    expect(response).toMatchObject({
      survey_id: id,
      survey_version: 1,
      channel: 'embed',
      language: 'de',
      custom_data: { plan: 'pro' },
      score: { metric: 'nps', value: 9, band: 'promoter' },
      completed_at: response.started_at,
      duration_ms: null,
    })
    const answers = Object.fromEntries(
      response.answers.map((item: { question_id: string; value: unknown }) => [item.question_id, item.value]),
    )
    expect(answers).toEqual({
      nps: 9,
      ...STORED_CHOICES,
    })
    const text = Object.fromEntries(
      response.text.map((item: { question_id: string; value: unknown }) => [item.question_id, item.value]),
    )
    expect(text).toEqual({
      single: 'Quince',
      multi: 'Fig',
      words: 'Zażółć 🎉 <b>&amp;',
      email: 'eve@example.com',
      url: 'https://example.com/x',
      number: '3.5',
      phone: '+49301234567',
      contact: { name: 'Eve', email: 'eve@example.com' },
    })
    expect(await eventsOf(id)).toMatchObject([
      {
        type: 'response.completed',
        responseId: answered.body.id,
        surveyVersion: 1,
        customData: { plan: 'pro' },
        completedAt: response.completed_at,
        score: { value: 9 },
      },
    ])
  })

  test.each(
    Object.entries({
      nps: 11,
      csat: 0,
      ces: 1.5,
      rating: 'three',
      single: 'z',
      dropdown: { other: 'x' },
      multi: ['a', 'a'],
      picture: ['a'],
      pictures: 'a',
      ranking: ['a', 'b'],
      matrix: { speed: 'ugly' },
      words: 5,
      email: 'nobody',
      url: 'javascript:alert(1)',
      number: 'seven',
      phone: '12',
      date: '2024-02-30',
      consent: 'yes',
      contact: { fax: '1' },
      statement: 'x',
      unknown: 1,
    }),
  )('to %s that breaks the rules is 422 with its path, and nothing is stored', async (question, value) => {
    const id = await publishSurvey(server, token, { metric: null, questions: EVERY_TYPE })
    for (const completed of [true, false]) {
      const answer = await submit(server, id, { csat: 3, [question]: value }, { completed })
      expect(answer).toMatchObject({
        status: 422,
        body: { code: 'invalid_answers', issues: [{ path: `answers.${question}` }] },
      })
    }
    expect(await statesOf(id)).toEqual([])
    expect(await eventsOf(id)).toEqual([])
  })

  test('that is required may be missing from a partial response, not from a completed one', async () => {
    const id = await publishSurvey(server, token, {
      questions: [{ id: 'q1', type: 'nps', title: 'T', required: true }],
    })
    expect((await submit(server, id, {})).body).toMatchObject({ status: 422, issues: [{ path: 'answers.q1' }] })
    expect((await submit(server, id, {}, { completed: false })).body.state).toBe('started')
  })

  test.each([
    ['answers that are no object', { answers: [] }, 'answers'],
    ['no answers', {}, 'answers'],
    ['an unknown member', { answers: {}, tenant: 'x' }, ''],
    ['a language that is none', { answers: {}, language: 'german!' }, 'language'],
    ['nested custom data', { answers: {}, custom_data: { plan: {} } }, 'custom_data.plan'],
  ])('with %s does not fit the schema: 400', async (_, body, path) => {
    const id = await publishSurvey(server, token)
    const answer = await server.request('POST', `/public/surveys/${id}/responses`, { body })
    expect(answer.status).toBe(400)
    expect(answer.body.issues.map((issue: { path: string }) => issue.path)).toContain(path)
  })

  test('with a custom field that the survey does not declare is 422', async () => {
    const id = await publishSurvey(server, token)
    expect((await submit(server, id, { q1: 1 }, { custom_data: { plan: 'pro' } })).body).toMatchObject({
      status: 422,
      issues: [{ path: 'custom_data.plan' }],
    })
  })

  test('of more than 256 KiB is 413', async () => {
    const id = await publishSurvey(server, token)
    expect((await submit(server, id, { q1: 'x'.repeat(256 * 1024) })).status).toBe(413)
  })

  test('to a question off the path is dropped, and an ending can screen out without an event', async () => {
    const id = await publishSurvey(server, token, {
      questions: [
        { id: 'q1', type: 'nps', title: 'T' },
        { id: 'q2', type: 'open_text', title: 'T' },
      ],
      logic: [{ when: { question: 'q1', op: 'lte', value: 6 }, then: [{ action: 'end', ending: 'out' }] }],
      endings: [
        { id: 'out', title: 'Sorry', outcome: 'screened_out' },
        { id: 'thanks', title: 'Thanks' },
      ],
    })
    const answer = await submit(server, id, { q1: 3, q2: 'left behind' })
    expect(answer.body.state).toBe('screened_out')
    expect(await read(answer.body.id)).toMatchObject({ text: [], answers: [{ question_id: 'q1', value: 3 }] })
    expect(await eventsOf(id)).toEqual([])
  })
})

describe('a response that is continued', () => {
  const QUESTIONS = [
    { id: 'q1', type: 'nps', title: 'T', required: true },
    { id: 'q2', type: 'single', title: 'T', choices: [{ id: 'a', label: 'A' }], allow_other: true },
    { id: 'q3', type: 'open_text', title: 'T' },
  ]

  test('keeps what was saved, measures its time and fires once, at the end', async () => {
    const id = await publishSurvey(server, token, {
      questions: QUESTIONS,
      languages: ['en', 'de'],
      custom_fields: ['plan'],
    })
    const begun = await submit(
      server,
      id,
      { q1: 9, q2: { other: 'Fig' } },
      { completed: false, custom_data: { plan: 'pro' } },
    )
    expect(begun.body.state).toBe('partial')
    expect(await eventsOf(id)).toEqual([])
    server.clock.advance(90_000)
    const saved = await go(begun.body.token, { answers: { q3: 'More' } })
    expect(saved).toMatchObject({ status: 200, body: { id: begun.body.id, state: 'partial' } })
    server.clock.advance(30_000)
    const done = await go(saved.body.token, { answers: { q1: 10 }, completed: true, language: 'de' })
    expect(done.body).toMatchObject({ id: begun.body.id, state: 'completed' })
    expect(await read(begun.body.id)).toMatchObject({
      language: 'de',
      duration_ms: 120_000,
      custom_data: { plan: 'pro' },
      score: { value: 10 },
      text: [
        { question_id: 'q2', value: 'Fig' },
        { question_id: 'q3', value: 'More' },
      ],
    })
    expect(await eventsOf(id)).toHaveLength(1)
  })

  test('takes an answer back by null', async () => {
    const id = await publishSurvey(server, token, { questions: QUESTIONS })
    const begun = await submit(server, id, { q1: 9, q3: 'Words' }, { completed: false })
    await go(begun.body.token, { answers: { q3: null } })
    expect(await read(begun.body.id)).toMatchObject({ text: [], answers: [{ value: 9 }] })
  })

  test('stays in the version that it was begun in', async () => {
    const id = await publishSurvey(server, token, { questions: QUESTIONS })
    const begun = await submit(server, id, { q1: 9, q3: 'Words' }, { completed: false })
    await server.request('PATCH', `/v1/surveys/${id}`, { token, body: { questions: QUESTIONS.slice(0, 1) } })
    await server.request('POST', `/v1/surveys/${id}/publish`, { token })
    expect((await go(begun.body.token, { answers: { q2: 'a' }, completed: true })).body.state).toBe('completed')
    expect(await read(begun.body.id)).toMatchObject({ survey_version: 1, text: [{ value: 'Words' }] })
    expect((await submit(server, id, { q2: 'a', q1: 1 })).status).toBe(422)
  })

  test('is completed once, however many ask at the same time', async () => {
    const id = await publishSurvey(server, token, {
      questions: QUESTIONS,
      quotas: [{ id: 'all', limit: 5 }],
      response_limit: 5,
    })
    const begun = await submit(server, id, { q1: 9 }, { completed: false })
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => go(begun.body.token, { answers: { q3: 'Words' }, completed: true })),
    )
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.id} ${body.state}`))).toEqual(
      new Set([`200 ${begun.body.id} completed`]),
    )
    expect(await eventsOf(id)).toHaveLength(1)
    expect(
      await server.peek(
        'select quota_id, count from quota_counts q join surveys s on s.tenant_id = q.tenant_id and s.id = q.survey_id where s.response_limit = 5 order by 1',
      ),
    ).toEqual([
      { quota_id: '*', count: 1 },
      { quota_id: 'all', count: 1 },
    ])
  })

  test('answers the same completion again alike, even after the survey closed, and refuses another with 409', async () => {
    const id = await publishSurvey(server, token, { questions: QUESTIONS })
    const begun = await submit(server, id, { q1: 9, q3: 'Words' })
    await server.request('POST', `/v1/surveys/${id}/close`, { token })
    expect((await go(begun.body.token, { answers: { q1: 9, q3: 'Words' }, completed: true })).body).toMatchObject({
      id: begun.body.id,
      state: 'completed',
    })
    expect((await go(begun.body.token, {})).status).toBe(200)
    for (const answers of [{ q1: 8 }, { q3: null }, { q1: 'x' }])
      expect((await go(begun.body.token, { answers, completed: true })).body).toMatchObject({
        status: 409,
        code: 'already_completed',
      })
    expect((await read(begun.body.id)).score.value).toBe(9)
    expect(await eventsOf(id)).toHaveLength(1)
  })

  test('needs its own token: anything else is 404', async () => {
    const id = await publishSurvey(server, token)
    const { body } = await submit(server, id, { q1: 9 }, { completed: false })
    const swapped = body.token.split('.')
    swapped[3] = [...(swapped[3] as string)].reverse().join('')
    for (const forged of [
      'x',
      'v1.a.b.c',
      swapped.join('.'),
      `${body.token}x`,
      body.id,
      encodeURIComponent('../x'),
      'a'.repeat(600),
    ]) {
      expect((await go(forged, { answers: {} })).body).toMatchObject({ status: 404, code: 'not_found' })
    }
    expect(body.token).not.toContain(body.id.slice(4))
  })
})

describe('a survey that is not open', () => {
  test('is 404 while unknown, malformed or a draft, and 410 while paused, closed or archived, and stores nothing', async () => {
    const { id: draft } = await createDraft(server, token)
    for (const id of [draft, 'srv_01jwq3v8n8e6h9k2m4p6r8t0va', 'nonsense']) {
      expect((await server.request('GET', `/public/surveys/${id}`)).body).toMatchObject({
        status: 404,
        code: 'not_found',
      })
      expect((await submit(server, id, { q1: 9 })).body).toMatchObject({ status: 404, code: 'not_found' })
    }
    const id = await publishSurvey(server, token)
    const begun = await submit(server, id, { q1: 9 }, { completed: false })
    for (const step of ['pause', 'close', 'archive']) {
      await server.request('POST', `/v1/surveys/${id}/${step}`, { token })
      expect((await server.request('GET', `/public/surveys/${id}`)).body).toMatchObject({
        status: 410,
        code: 'survey_not_open',
      })
      expect((await submit(server, id, { q1: 9 })).body).toMatchObject({ status: 410, code: 'survey_not_open' })
      expect((await go(begun.body.token, { completed: true })).body).toMatchObject({
        status: 410,
        code: 'survey_not_open',
      })
    }
    expect(await statesOf(id)).toEqual(['partial'])
  })

  test('opens at starts_at and shuts at closes_at, to the millisecond', async () => {
    const now = server.clock.now().getTime()
    const id = await publishSurvey(server, token, {
      starts_at: new Date(now + 1_000).toISOString(),
      closes_at: new Date(now + 3_000).toISOString(),
    })
    const status = async () => (await server.request('GET', `/public/surveys/${id}`)).status
    server.clock.advance(999)
    expect((await server.request('GET', `/public/surveys/${id}`)).body).toMatchObject({
      status: 410,
      code: 'survey_not_open',
      opens_at: new Date(now + 1_000).toISOString(),
    })
    server.clock.advance(1)
    expect(await status()).toBe(200)
    server.clock.advance(1_999)
    expect(await status()).toBe(200)
    server.clock.advance(1)
    expect(await status()).toBe(410)
  })

  test('has all the responses that its limit allows, and never one more under concurrency', async () => {
    const id = await publishSurvey(server, token, { response_limit: 3 })
    const answers = await Promise.all(Array.from({ length: 12 }, () => submit(server, id, { q1: 9 })))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, ...Array<number>(9).fill(410)])
    expect(await statesOf(id)).toEqual(['completed', 'completed', 'completed'])
    expect(await eventsOf(id)).toHaveLength(3)
  })
})

test('the public definition holds no quotas, names or limits', async () => {
  const id = await publishSurvey(server, token, {
    name: 'Internal name',
    quotas: [{ id: 'all', limit: 5 }],
    response_limit: 10,
  })
  const { body } = await server.request('GET', `/public/surveys/${id}`)
  expect(Object.keys(body).sort()).toEqual([
    'custom_fields',
    'dedupe',
    'default_language',
    'endings',
    'id',
    'logic',
    'questions',
    'version',
  ])
})

describe('quality flags', () => {
  const ROWS = ['a', 'b', 'c', 'd'].map((id) => ({ id, label: id }))
  const SURVEY = {
    questions: [
      { id: 'q1', type: 'nps', title: 'T' },
      { id: 'q2', type: 'csat', title: 'T' },
      { id: 'm', type: 'matrix', title: 'T', rows: ROWS, columns: ROWS },
    ],
  }
  test.each([
    ['too fast and the same column throughout', 2_000, { a: 'a', b: 'a', c: 'a', d: 'a' }, ['fast', 'straightlining']],
    ['in good time and with thought', 60_000, { a: 'a', b: 'b', c: 'a', d: 'a' }, []],
  ])('tell of answers %s, and hold nothing back', async (_, ms, m, flags) => {
    const id = await publishSurvey(server, token, SURVEY)
    const begun = await submit(server, id, {}, { completed: false })
    server.clock.advance(ms)
    expect((await go(begun.body.token, { answers: { q1: 1, q2: 1, m }, completed: true })).body.state).toBe('completed')
    expect((await read(begun.body.id)).quality_flags).toEqual(flags)
  })
})

test('a whole response costs few statements, and none for a definition that is known', async () => {
  const id = await publishSurvey(server, token)
  await submit(server, id, { q1: 9 })
  const before = server.statements.length
  await submit(server, id, { q1: 9 })
  const texts = server.statements.slice(before).map(({ text }) => text)
  expect(texts.filter((text) => /survey_versions|directory/.test(text))).toEqual([])
  // Survey, webhooks with the revision of alert rules, members; response, mark, event.
  expect(texts.length).toBeLessThanOrEqual(6)
})
