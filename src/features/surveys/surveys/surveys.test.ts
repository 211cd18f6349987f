import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApiKey, createWorkspace } from '../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../testing/harness.ts'
import { createDraft, publishSurvey, submit } from '../../../testing/survey-fixtures.ts'
import { EXAMPLE } from './surveys.fixture.ts'

let server: TestServer
let token: string
beforeAll(async () => {
  server = await startTestServer()
  token = (await createWorkspace(server)).token
})
afterAll(() => server.close())

function act(id: string, step: string, headers: Record<string, string> = {}) {
  return server.request('POST', `/v1/surveys/${id}/${step}`, { token, headers })
}

function patch(id: string, body: unknown, headers: Record<string, string> = {}) {
  return server.request('PATCH', `/v1/surveys/${id}`, { token, body, headers })
}

describe('a draft', () => {
  test('comes back as the example of a first survey was sent', async () => {
    const created = await server.request('POST', '/v1/surveys', { token, body: EXAMPLE })
    expect(created.status).toBe(201)
    expect(created.body).toMatchObject({
      ...EXAMPLE,
      state: 'draft',
      version: 0,
      accepting_responses: false,
      starts_at: null,
    })
    const read = await server.request('GET', `/v1/surveys/${created.body.id}`, { token })
    expect(read.body).toEqual(created.body)
  })

  test('needs a name only', async () => {
    const { status, body } = await server.request('POST', '/v1/surveys', { token, body: { name: ' Empty ' } })
    expect({ status, body }).toMatchObject({
      status: 201,
      body: { name: 'Empty', questions: [], metric: null, dedupe: 'none', default_language: 'en' },
    })
  })

  test.each([
    ['an unknown member', { nam: 'x' }, ''],
    [
      'an unknown member of a question',
      { questions: [{ id: 'q1', type: 'nps', title: 'T', scale: 5 }] },
      'questions.0',
    ],
    ['an unknown question type', { questions: [{ id: 'q1', type: 'hologram', title: 'T' }] }, 'questions.0.type'],
    ['a rating without its scale', { questions: [{ id: 'q1', type: 'rating', title: 'T' }] }, 'questions.0.scale'],
    ['a scale out of range', { questions: [{ id: 'q1', type: 'rating', title: 'T', scale: 11 }] }, 'questions.0.scale'],
    ['an id that is no name', { questions: [{ id: 'q 1', type: 'nps', title: 'T' }] }, 'questions.0.id'],
    ['a title that is no text', { questions: [{ id: 'q1', type: 'nps', title: 7 }] }, 'questions.0.title'],
    ['an unknown message', { messages: { sv: { nxet: 'Nästa' } } }, 'messages.sv'],
    ['a message past 500 characters', { messages: { sv: { next: 'x'.repeat(501) } } }, 'messages.sv.next'],
    ['messages in no language', { messages: { 'not a tag': {} } }, 'messages'],
    [
      'an unknown operator',
      { logic: [{ when: { question: 'q1', op: 'like', value: 1 }, then: [] }] },
      'logic.0.when.op',
    ],
    ['an unknown action', { logic: [{ when: { all: [] }, then: [{ action: 'explode' }] }] }, 'logic.0.then.0.action'],
    ['a limit that fits no integer', { response_limit: 3_000_000_000 }, 'response_limit'],
    ['a quota of nothing', { quotas: [{ id: 'all', limit: 0 }] }, 'quotas.0.limit'],
    ['a time that is none', { starts_at: 'tomorrow' }, 'starts_at'],
    [
      'more questions than there may be',
      { questions: Array.from({ length: 201 }, (_, i) => ({ id: `q${i}`, type: 'nps', title: 'T' })) },
      'questions',
    ],
  ])('with %s is refused with 400 and its place', async (_, part, path) => {
    const answer = await server.request('POST', '/v1/surveys', { token, body: { name: 'S', ...part } })
    expect(answer.status).toBe(400)
    expect(answer.body.issues.map((issue: { path: string }) => issue.path)).toContain(path)
  })

  test.each([
    [
      'an id twice',
      {
        questions: [
          { id: 'q1', type: 'nps', title: 'T' },
          { id: 'q1', type: 'csat', title: 'T' },
        ],
      },
      'questions.1.id',
    ],
    [
      'a condition on an unknown question',
      { logic: [{ when: { question: 'q9', op: 'eq', value: 1 }, then: [] }] },
      'logic.0.when.question',
    ],
    ['an end before its start', { starts_at: '2026-05-02T00:00:00Z', closes_at: '2026-05-01T00:00:00Z' }, 'closes_at'],
  ])('with %s is refused with 422 and its place', async (_, part, path) => {
    const answer = await server.request('POST', '/v1/surveys', { token, body: { name: 'S', ...part } })
    expect(answer).toMatchObject({ status: 422, body: { code: 'invalid_survey' } })
    expect(answer.body.issues.map((issue: { path: string }) => issue.path)).toContain(path)
  })

  test('can be deleted, and is then unknown everywhere', async () => {
    const { id } = await createDraft(server, token)
    expect((await server.request('DELETE', `/v1/surveys/${id}`, { token })).status).toBe(204)
    expect((await server.request('GET', `/v1/surveys/${id}`, { token })).status).toBe(404)
    expect((await server.request('GET', `/public/surveys/${id}`)).status).toBe(404)
    expect(
      await server.peek('select 1 from directory where kind = $1 and key not in (select id::text from surveys)', [
        'survey',
      ]),
    ).toEqual([])
  })
})

describe('the entity tag', () => {
  test('changes with each change, and a stale If-Match is 412 without effect', async () => {
    const { id } = await createDraft(server, token)
    const read = await server.request('GET', `/v1/surveys/${id}`, { token })
    const etag = read.headers.get('etag') ?? ''
    expect(etag).toMatch(/^"\d+"$/)
    const first = await patch(id, { name: 'First' }, { 'if-match': etag })
    expect(first.status).toBe(200)
    expect(first.headers.get('etag')).not.toBe(etag)
    expect((await patch(id, { name: 'Second' }, { 'if-match': etag })).body).toMatchObject({
      status: 412,
      code: 'stale',
    })
    expect((await act(id, 'publish', { 'if-match': etag })).status).toBe(412)
    expect((await server.request('DELETE', `/v1/surveys/${id}`, { token, headers: { 'if-match': etag } })).status).toBe(
      412,
    )
    expect((await patch(id, { name: 'Third' }, { 'if-match': '*' })).body.name).toBe('Third')
  })

  test('lets exactly one of two writers with the same tag through', async () => {
    const { id } = await createDraft(server, token)
    const headers = { 'if-match': '"1"' }
    const answers = await Promise.all(['A', 'B', 'C', 'D'].map((name) => patch(id, { name }, headers)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412])
  })
})

test('a PATCH changes what it names, and null takes an option away', async () => {
  const { id } = await createDraft(server, token, {
    languages: ['en'],
    variables: { points: 1 },
    messages: { sv: { next: 'Nästa' } },
    closes_at: '2027-01-01T00:00:00+01:00',
    response_limit: 5,
  })
  const answer = await patch(id, { languages: null, messages: null, closes_at: null, response_limit: null })
  expect(answer.body).toMatchObject({
    variables: { points: 1 },
    closes_at: null,
    response_limit: null,
    name: 'After delivery',
  })
  expect(answer.body).not.toHaveProperty('languages')
})

test('a duplicate is a new draft with the same content', async () => {
  const id = await publishSurvey(server, token, { ...EXAMPLE, response_limit: 1 })
  const copy = await act(id, 'duplicate')
  expect(copy.status).toBe(201)
  expect(copy.body).toMatchObject({
    name: 'After delivery (copy)',
    state: 'draft',
    version: 0,
    questions: EXAMPLE.questions,
    response_limit: null,
  })
  expect(copy.body.id).not.toBe(id)
})

test('the list is newest first, in stable pages, and filtered by state and name', async () => {
  const { token } = await createWorkspace(server)
  const ids: string[] = []
  for (const name of ['one', 'two', 'three']) ids.unshift((await createDraft(server, token, { name })).id)
  const first = await server.request('GET', '/v1/surveys?limit=2', { token })
  expect(first.body.data.map(({ id }: { id: string }) => id)).toEqual(ids.slice(0, 2))
  await createDraft(server, token, { name: 'four' })
  const second = await server.request('GET', `/v1/surveys?limit=2&cursor=${first.body.next_cursor}`, { token })
  expect(second.body).toMatchObject({ data: [{ id: ids[2], question_count: 1, metric: 'nps' }], next_cursor: null })
  await act(ids[0] ?? '', 'publish')
  await server.request('POST', `/v1/surveys/${ids[0]}/publish`, { token })
  expect(
    (await server.request('GET', '/v1/surveys?state=live', { token })).body.data.map(
      ({ name }: { name: string }) => name,
    ),
  ).toEqual(['three'])
  expect(
    (await server.request('GET', '/v1/surveys?search=OU', { token })).body.data.map(
      ({ name }: { name: string }) => name,
    ),
  ).toEqual(['four'])
})

test('another workspace meets 404 on every route of the survey, the same as for an unknown id', async () => {
  const id = await publishSurvey(server, token)
  const other = (await createWorkspace(server)).token
  const routes: [string, string, unknown?][] = [
    ['GET', ''],
    ['PATCH', '', { name: 'Mine now' }],
    ['DELETE', ''],
    ['GET', '/versions'],
    ['GET', '/report'],
    ...['publish', 'pause', 'resume', 'close', 'archive', 'duplicate', 'validate'].map((step): [string, string] => [
      'POST',
      `/${step}`,
    ]),
  ]
  for (const [method, path, body] of routes) {
    const answers = await Promise.all(
      [id, 'srv_01jwq3v8n8e6h9k2m4p6r8t0va', 'nonsense'].map((survey) =>
        server.request(method, `/v1/surveys/${survey}${path}`, { token: other, ...(body !== undefined && { body }) }),
      ),
    )
    const [foreign, ...rest] = answers.map(({ body }) => ({ ...body, request_id: '' }))
    expect(foreign).toMatchObject({ status: 404, code: 'not_found' })
    for (const problem of rest) expect(problem).toEqual(foreign)
  }
  expect((await server.request('GET', `/v1/surveys/${id}`, { token })).body).toMatchObject({
    state: 'live',
    name: 'After delivery',
  })
})

test('a change needs surveys.manage, reading does not', async () => {
  const id = await publishSurvey(server, token)
  const { key } = await createApiKey(server, token, ['reports.manage'])
  expect((await server.request('GET', `/v1/surveys/${id}`, { token: key })).status).toBe(200)
  expect((await server.request('POST', `/v1/surveys/${id}/pause`, { token: key })).body).toMatchObject({
    status: 403,
    code: 'forbidden',
    permission: 'surveys.manage',
  })
})

test('a limit that is set later counts what was completed before', async () => {
  const id = await publishSurvey(server, token)
  await submit(server, id, { q1: 9 })
  await submit(server, id, { q1: 9 }, { completed: false })
  expect((await patch(id, { response_limit: 2 })).body.accepting_responses).toBe(true)
  expect((await submit(server, id, { q1: 9 })).status).toBe(201)
  expect((await submit(server, id, { q1: 9 })).body).toMatchObject({ status: 410, code: 'survey_not_open' })
  expect((await patch(id, { response_limit: 3 })).body.accepting_responses).toBe(true)
})

test('a type that does not exist is answered with those that do, and a day stands for a moment', async () => {
  const wrong = await server.request('POST', '/v1/surveys', {
    token,
    body: { name: 'S', questions: [{ id: 'q1', type: 'stars', title: 'T' }] },
  })
  expect(wrong).toMatchObject({ status: 400, body: { issues: [{ path: 'questions.0.type' }] } })
  for (const type of ['nps', 'rating', 'dropdown', 'open_text', 'statement'])
    expect(wrong.body.issues[0].message).toContain(type)
  const odd = await server.request('POST', '/v1/surveys', { token, body: { name: 'S', closes_at: '31.12.2026' } })
  expect(odd.body.issues).toEqual([
    { path: 'closes_at', message: 'Use a time such as 2026-11-22T09:30:00Z, or a date such as 2026-11-22.' },
  ])
})

test('a date means the whole day in the time zone of the workspace', async () => {
  const berlin = await createWorkspace(server)
  const call = async (method: string, path: string, body: object) => {
    const answer = await server.request(method, path, { token: berlin.token, body })
    expect(answer.status, answer.text).toBeLessThan(300)
    return answer.body
  }
  await call('PATCH', '/v1/org', { timezone: 'Europe/Berlin' })
  const period = { starts_at: '2026-12-01', closes_at: '2026-12-31' }
  const shown = { starts_at: '2026-11-30T23:00:00.000Z', closes_at: '2026-12-31T23:00:00.000Z' }
  const survey = await call('POST', '/v1/surveys', { name: 'S', ...period })
  expect(survey).toMatchObject(shown)
  expect(await call('PATCH', `/v1/surveys/${survey.id}`, { closes_at: null })).toMatchObject({ closes_at: null })
  expect(await call('PATCH', `/v1/surveys/${survey.id}`, period)).toMatchObject(shown)
  const end = { expires_at: '2026-12-31' }
  for (const [path, body] of [
    ['/v1/short-urls', { target: 'https://example.com/', ...end }],
    ['/v1/api-keys', { name: 'K', permissions: [], ...end }],
  ] as const) {
    const made = await call('POST', path, body)
    expect(made.expires_at, path).toBe(shown.closes_at)
    expect((await call('PATCH', `${path}/${made.id}`, { expires_at: '2027-06-30' })).expires_at).toBe(
      '2027-06-30T22:00:00.000Z',
    )
  }
})

test('a page of large versions ends before its limit, and the cursor goes on from there', async () => {
  const { id } = await createDraft(server, token)
  const long = (n: number) =>
    Array.from({ length: 60 }, (_, at) => ({ id: `q${at}`, type: 'nps', title: `${n}`.padEnd(10_000, 'x') }))
  for (const n of [1, 2, 3, 4]) {
    await server.request('PATCH', `/v1/surveys/${id}`, { token, body: { questions: long(n) } })
    await act(id, 'publish')
  }
  const pages: number[][] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const { body } = await server.request(
      'GET',
      `/v1/surveys/${id}/versions?limit=100${cursor && `&cursor=${cursor}`}`,
      { token },
    )
    pages.push(body.data.map(({ version }: { version: number }) => version))
    cursor = body.next_cursor
  }
  expect(pages.flat()).toEqual([4, 3, 2, 1])
  expect(pages.length).toBeGreaterThan(1)
})
