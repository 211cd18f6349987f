import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createWorkspace } from '../../../testing/fixtures.ts'
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
    expect((await act(id, 'validate?include=notifies')).body).toMatchObject({
      notifies: { webhooks: 0, members: 0, alert_rules: 0 },
    })
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

  test('has nothing to publish when a change was taken back', async () => {
    const id = await publishSurvey(server, token, EXAMPLE)
    expect((await patch(id, { questions: EXAMPLE.questions.slice(0, 2) })).body.unpublished_changes).toBe(true)
    expect((await patch(id, { name: 'Another name' })).body.unpublished_changes).toBe(true)
    expect((await patch(id, { questions: EXAMPLE.questions })).body.unpublished_changes).toBe(false)
    expect((await act(id, 'publish')).body).toMatchObject({ version: 1, name: 'Another name' })
    const draft = (await createDraft(server, token, EXAMPLE)).id
    expect((await patch(draft, { questions: EXAMPLE.questions.slice(0, 2) })).body.unpublished_changes).toBe(false)
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
  expect((await act(id, 'validate')).body).toMatchObject({ valid: false, issues })
  expect(await act(id, 'publish')).toMatchObject({ status: 422, body: { issues } })
  await patch(id, { closes_at: at(1) })
  expect(await act(id, 'publish')).toMatchObject({ status: 200, body: { state: 'live' } })
  expect((await act(id, 'pause')).status).toBe(200)
  server.clock.advance(2 * minute)
  expect(await act(id, 'resume')).toMatchObject({ status: 422, body: { issues } })
  await patch(id, { closes_at: null })
  expect(await act(id, 'resume')).toMatchObject({ status: 200, body: { state: 'live' } })
})
