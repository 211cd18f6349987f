import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApiKey, createWorkspace } from '../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../testing/harness.ts'
import { createDraft, publishSurvey, submit } from '../../../testing/survey-fixtures.ts'
import { EVERY_TYPE } from '../../../survey-engine/survey.fixture.ts'

let server: TestServer
let token: string
beforeAll(async () => {
  server = await startTestServer()
  token = (await createWorkspace(server)).token
})
afterAll(() => server.close())

const EXAMPLE = {
  name: 'After delivery',
  metric: 'nps',
  default_language: 'en',
  questions: [
    { id: 'q1', type: 'nps', title: 'How likely are you to recommend us?', required: true },
    {
      id: 'q2',
      type: 'single',
      title: { en: 'Why?', de: 'Warum?' },
      choices: [{ id: 'price', label: 'Price' }],
      allow_other: true,
    },
    { id: 'q3', type: 'open_text', title: 'Tell us more, {{answer.q1}} is…', format: 'text' },
  ],
  logic: [{ when: { all: [{ question: 'q1', op: 'lte', value: 6 }] }, then: [{ action: 'jump', to: 'q3' }] }],
  custom_fields: ['plan'],
  endings: [],
  quotas: [],
  dedupe: 'none',
}

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
    ['an unknown operator', { logic: [{ when: { question: 'q1', op: 'like', value: 1 }, then: [] }] }, 'logic.0.when'],
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

describe('the states of a survey', () => {
  const STATES = ['draft', 'live', 'paused', 'closed', 'archived'] as const
  const PATHS: Record<(typeof STATES)[number], string[]> = {
    draft: [],
    live: ['publish'],
    paused: ['publish', 'pause'],
    closed: ['publish', 'close'],
    archived: ['publish', 'close', 'archive'],
  }
  const ALLOWED: Record<string, Partial<Record<(typeof STATES)[number], string>>> = {
    publish: { draft: 'live', live: 'live', paused: 'paused' },
    pause: { live: 'paused' },
    resume: { paused: 'live' },
    close: { live: 'closed', paused: 'closed' },
    archive: { closed: 'archived' },
  }

  test.each(STATES)('from %s only the promised steps lead on, and a refusal says from where they do', async (state) => {
    for (const [step, allowed] of Object.entries(ALLOWED)) {
      const { id } = await createDraft(server, token)
      for (const before of PATHS[state]) await act(id, before)
      const answer = await act(id, step)
      const next = allowed[state]
      if (next) expect([step, answer.status, answer.body.state]).toEqual([step, 200, next])
      else {
        expect([step, answer.status, answer.body.code]).toEqual([step, 409, 'invalid_state'])
        for (const from of Object.keys(allowed)) expect(answer.body.detail).toContain(from)
        expect((await server.request('GET', `/v1/surveys/${id}`, { token })).body.state).toBe(state)
      }
    }
  })

  test('a refused step says in which states it is possible', async () => {
    const id = await publishSurvey(server, token)
    expect((await act(id, 'resume')).body.detail).toBe('This survey is live. Only a paused survey can be resumed.')
    await act(id, 'close')
    expect((await act(id, 'publish')).body.detail).toBe(
      'This survey is closed. Only a draft, live, or paused survey can be published.',
    )
  })

  test('what was published is never deleted, and an archived survey does not change', async () => {
    const id = await publishSurvey(server, token)
    expect((await server.request('DELETE', `/v1/surveys/${id}`, { token })).body).toMatchObject({
      status: 409,
      code: 'invalid_state',
    })
    await act(id, 'close')
    await act(id, 'archive')
    expect((await patch(id, { name: 'Other' })).body).toMatchObject({ status: 409, code: 'invalid_state' })
  })
})

describe('publishing', () => {
  test('refuses what cannot work with an issue for each place, and validate says the same', async () => {
    const { id } = await createDraft(server, token, {
      questions: [
        { id: 'q1', type: 'nps', title: { en: 'Hello', de: '' } },
        { id: 'q2', type: 'csat', title: 'Never met' },
        { id: 'q3', type: 'open_text', title: 'Why?' },
      ],
      languages: ['en', 'de'],
      logic: [
        { when: { all: [] }, then: [{ action: 'jump', to: 'q3' }] },
        { when: { question: 'q3', op: 'is_answered' }, then: [{ action: 'jump', to: 'q1' }] },
        { when: { question: 'q1', op: 'eq', value: 1 }, then: [{ action: 'jump', to: 'nowhere' }] },
      ],
      dedupe: 'contact',
    })
    const answer = await act(id, 'publish')
    expect(answer).toMatchObject({ status: 422, body: { code: 'invalid_survey' } })
    const paths = answer.body.issues.map((issue: { path: string }) => issue.path)
    expect(paths).toEqual(
      expect.arrayContaining(['questions.0.title', 'questions.1', 'logic.1.then.0.to', 'logic.2.then.0.to', 'dedupe']),
    )
    expect((await act(id, 'validate')).body).toEqual({ valid: false, issues: answer.body.issues })
    expect((await server.request('GET', `/v1/surveys/${id}`, { token })).body).toMatchObject({
      state: 'draft',
      version: 0,
    })
  })

  const Q1 = { id: 'q1', type: 'nps', title: 'T' }
  const titled = (title: string) => ({ questions: [Q1, { id: 'q2', type: 'open_text', title }] })
  const rule = (when: object) => ({
    questions: [Q1, { id: 'q2', type: 'open_text', title: 'T' }],
    logic: [{ when, then: [{ action: 'require', question: 'q2' }] }],
  })
  test.each([
    ['an unknown name', titled('{{ answer.q9 }}'), 'questions.1.title'],
    ['an unknown name in the older form', titled('{{answer.q9|there}}'), 'questions.1.title'],
    ['an unknown custom field', titled('{{ custom.plan }}'), 'questions.1.title'],
    ['a broken brace', titled('Hello {{ answer.q1 }'), 'questions.1.title'],
    [
      'an unknown name in a redirect',
      { endings: [{ id: 'e', title: 'T', redirect_url: 'https://a.example/?x={{ answer.q9 }}' }] },
      'endings.0.redirect_url',
    ],
    ['a test that can never hold', rule({ question: 'q1', op: 'eq', value: 16 }), 'logic.0.when.value'],
    ['a closes_at in the past', { closes_at: '2026-01-01T00:00:00Z' }, 'closes_at'],
  ])('refuses %s', async (_, body, path) => {
    const { id } = await createDraft(server, token, body)
    const answer = await act(id, 'publish')
    expect(answer.status, answer.text).toBe(422)
    expect(answer.body.issues.map((issue: { path: string }) => issue.path)).toEqual([path])
  })

  test('makes versions that respondents meet, while a PATCH edits the next one', async () => {
    const id = await publishSurvey(server, token, EXAMPLE)
    const before = await server.request('GET', `/public/surveys/${id}`)
    const edited = await patch(id, {
      questions: [...EXAMPLE.questions, { id: 'q4', type: 'consent', title: 'May we call?' }],
    })
    expect(edited.body).toMatchObject({ state: 'live', version: 1, unpublished_changes: true })
    expect((await server.request('GET', `/public/surveys/${id}`)).body).toEqual(before.body)
    expect((await act(id, 'publish')).body).toMatchObject({ version: 2, unpublished_changes: false })
    expect((await server.request('GET', `/public/surveys/${id}`)).body.questions).toHaveLength(4)
    expect((await act(id, 'publish')).body.version).toBe(2)
    const versions = await server.request('GET', `/v1/surveys/${id}/versions`, { token })
    expect(
      versions.body.data.map((row: { version: number; definition: { questions: unknown[] } }) => [
        row.version,
        row.definition.questions.length,
      ]),
    ).toEqual([
      [2, 4],
      [1, 3],
    ])
    expect(versions.body.data[0].published_by).toMatch(/^usr_/)
  })

  test('freezes question ids: a published question may go, but never changes its type', async () => {
    const id = await publishSurvey(server, token, {
      questions: [
        { id: 'q1', type: 'nps', title: 'T' },
        { id: 'q2', type: 'csat', title: 'T' },
      ],
    })
    expect((await patch(id, { questions: [{ id: 'q1', type: 'nps', title: 'T' }] })).status).toBe(200)
    await act(id, 'publish')
    const back = await patch(id, {
      questions: [
        { id: 'q1', type: 'nps', title: 'T' },
        { id: 'q2', type: 'open_text', title: 'T' },
      ],
    })
    expect(back).toMatchObject({ status: 422, body: { issues: [{ path: 'questions.1.type' }] } })
    expect(
      (
        await patch(id, {
          questions: [
            { id: 'q1', type: 'nps', title: 'New words' },
            { id: 'q3', type: 'open_text', title: 'T' },
          ],
        })
      ).status,
    ).toBe(200)
  })

  test('twice at once makes one version', async () => {
    const { id } = await createDraft(server, token)
    const answers = await Promise.all([act(id, 'publish'), act(id, 'publish'), act(id, 'publish')])
    expect(answers.map(({ status, body }) => [status, body.version])).toEqual([
      [200, 1],
      [200, 1],
      [200, 1],
    ])
    expect((await server.request('GET', `/v1/surveys/${id}/versions`, { token })).body.data).toHaveLength(1)
  })
})

test('publishing and resuming tell who will hear of the responses', async () => {
  const owner = (await createWorkspace(server)).token
  const call = (method: string, path: string, body?: object) => server.request(method, path, { token: owner, body })
  const [{ id }, other] = [await createDraft(server, owner), await createDraft(server, owner)]
  const webhook = (body: object) => call('POST', '/v1/webhooks', { url: 'https://8.8.8.8/hooks', ...body })
  await webhook({})
  await webhook({ events: ['response.completed'], survey_ids: [id] })
  await webhook({ survey_ids: [other.id] })
  await webhook({ events: ['survey.sent'] })
  const off = (await webhook({})).body.id
  await call('PATCH', `/v1/webhooks/${off}`, { enabled: false })
  await call('POST', '/v1/notification-subscriptions', { event: 'response.completed', channel: 'console' })
  await call('POST', '/v1/alert-rules', { name: 'All', trigger: { on: 'response', filter: { all: [] } } })
  const notifies = { webhooks: 2, members: 1, alert_rules: 1 }
  expect((await call('POST', `/v1/surveys/${id}/publish`)).body).toMatchObject({ state: 'live', notifies })
  expect((await call('POST', `/v1/surveys/${id}/publish`)).body).toMatchObject({ notifies })
  expect((await call('POST', `/v1/surveys/${id}/pause`)).body).not.toHaveProperty('notifies')
  expect((await call('POST', `/v1/surveys/${id}/resume`)).body).toMatchObject({ state: 'live', notifies })
  expect((await submit(server, id, { q1: 9 })).body).not.toHaveProperty('notifies')
})

test('neither publishing nor resuming opens a survey whose closes_at has passed', async () => {
  const minute = 60_000
  const at = (minutes: number) => new Date(server.clock.now().getTime() + minutes * minute).toISOString()
  const { id } = await createDraft(server, token, { closes_at: at(1) })
  server.clock.advance(minute)
  const issues = [{ path: 'closes_at', message: 'This time has passed. Choose a later one, or null.' }]
  expect((await act(id, 'validate')).body).toEqual({ valid: false, issues })
  expect(await act(id, 'publish')).toMatchObject({ status: 422, body: { issues } })
  await patch(id, { closes_at: at(1) })
  expect(await act(id, 'publish')).toMatchObject({ status: 200, body: { state: 'live' } })
  expect((await act(id, 'pause')).status).toBe(200)
  server.clock.advance(2 * minute)
  expect(await act(id, 'resume')).toMatchObject({ status: 422, body: { issues } })
  await patch(id, { closes_at: null })
  expect(await act(id, 'resume')).toMatchObject({ status: 200, body: { state: 'live' } })
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
  const made = await server.request('POST', '/v1/surveys', { token, body: { name: 'S', closes_at: '2026-12-31' } })
  expect(made.body.closes_at).toBe('2026-12-31T00:00:00.000Z')
  const odd = await server.request('POST', '/v1/surveys', { token, body: { name: 'S', closes_at: '31.12.2026' } })
  expect(odd.body.issues).toEqual([
    { path: 'closes_at', message: 'Use a time such as 2026-11-22T09:30:00Z, or a date such as 2026-11-22.' },
  ])
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

describe('a definition as a file', () => {
  const file = (id: string, query = '', headers: Record<string, string> = {}) =>
    server.request('GET', `/v1/surveys/${id}/definition${query}`, { token, headers })
  const EVERY = {
    ...EXAMPLE,
    name: 'Übersicht: "Q3" — 2026/10',
    languages: ['en', 'de'],
    questions: [...EVERY_TYPE, { id: 'q1', type: 'nps', title: { de: 'Warum?', en: 'Why?' } }],
    logic: [{ id: 'r', when: { question: 'q1', op: 'gte', value: 9.5 }, then: [{ action: 'end', ending: 'bye' }] }],
    variables: { z: 0.1, a: 'x' },
    endings: [{ title: 'Bye', id: 'bye', redirect_url: 'https://example.com/?q={{ answer.q1 | default: "n" }}' }],
    quotas: [{ limit: 5, id: 'all' }],
    messages: { en: { next: 'Onwards' } },
    privacy: 'anonymous',
    allow_changes: false,
    single_use_tokens: 'any',
  }

  test.each([
    ['every type and setting', EVERY],
    ['the fewest members', { name: 'Short' }],
  ])('with %s makes a survey with the same file, byte for byte', async (_, body) => {
    const first = await server.request('POST', '/v1/surveys', { token, body })
    const written = await file(first.body.id)
    expect(written.status, written.text).toBe(200)
    const second = await server.request('POST', '/v1/surveys', { token, body: written.text })
    expect(second, second.text).toMatchObject({ status: 201, body: { name: body.name, state: 'draft' } })
    expect(await file(second.body.id)).toMatchObject({ status: 200, text: written.text })
    expect(Object.keys(written.body)).toEqual(Object.keys(written.body).toSorted())
    for (const member of ['id', 'state', 'starts_at', 'response_limit']) expect(written.body).not.toHaveProperty(member)
  })

  test('has a name, a tag that spares a second download, and its published versions', async () => {
    const { id } = await createDraft(server, token, { name: 'Übersicht: "Q3"' })
    const draft = await file(id)
    expect(draft.headers.get('content-disposition')).toBe('attachment; filename="ubersicht-q3.json"')
    const tag = draft.headers.get('etag') ?? ''
    expect(await file(id, '', { 'if-none-match': tag })).toMatchObject({ status: 304, text: '' })
    expect((await file(id, '?version=1')).status).toBe(404)
    await act(id, 'publish')
    await patch(id, { custom_fields: ['plan'] })
    const changed = await file(id, '', { 'if-none-match': tag })
    expect([changed.status, changed.body.custom_fields]).toEqual([200, ['plan']])
    expect(await file(id, '?version=1')).toMatchObject({ status: 200, text: draft.text })
  })
})
