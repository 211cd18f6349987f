import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createWorkspace } from '../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../testing/harness.ts'
import { publishSurvey, submit } from '../../../testing/survey-fixtures.ts'
import { openPage, questionsOn, sendPage } from './page/respondent.fixture.ts'

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

const CONTACT = { id: 'who', type: 'contact', title: 'Who are you?', fields: ['email', 'phone'] }

describe('a repeat', () => {
  const DEVICE = { dedupe: 'device' }
  const SINGLE = { dedupe: 'single_use', single_use_tokens: 'any' }
  const BY_CONTACT = { dedupe: 'contact', metric: null, questions: [CONTACT] }
  type Sent = [answers: Record<string, unknown>, rest: Record<string, unknown>]
  const EMAILS = ['Eve@Example.com', 'EVE@example.COM', ' eve@example.com ']
  const PHONES = ['+49 (0)30 901820', '+4930901820', '0049 30 901820', '+49 030 901820', '\u202a+49 30 901820\u202c']
  const inTurn = (written: string[], turn: number) => written[turn % written.length]
  test.each<[string, Record<string, unknown>, (turn: number) => Sent]>([
    ['from the same device', DEVICE, () => [{ q1: 9 }, { device: 'd-1' }]],
    ['from the same address and user agent', DEVICE, () => [{ q1: 9 }, {}]],
    ['with the same single-use token', SINGLE, () => [{ q1: 9 }, { token: 'order-4711' }]],
    ['with the same email, however written', BY_CONTACT, (turn) => [{ who: { email: inTurn(EMAILS, turn) } }, {}]],
    ['with the same phone, however written', BY_CONTACT, (turn) => [{ who: { phone: inTurn(PHONES, turn) } }, {}]],
  ])('%s counts once under concurrency', async (_, survey, make) => {
    const id = await publishSurvey(server, token, { ...survey, quotas: [{ id: 'all', limit: 50 }] })
    const answers = await Promise.all(Array.from({ length: 10 }, (__, turn) => submit(server, id, ...make(turn))))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(9).fill(409)])
    expect(answers.find(({ status }) => status === 409)?.body.code).toBe('already_answered')
    expect(await statesOf(id)).toEqual(['completed'])
    expect(await eventsOf(id)).toHaveLength(1)
    expect((await submit(server, id, make(0)[0], { ...make(0)[1], completed: false })).status).toBe(409)
    const report = await server.request('GET', `/v1/surveys/${id}/report`, { token })
    expect(report.body).toMatchObject({ counts: { completed: 1, total: 1 }, quotas: [{ count: 1 }] })
  })

  test('is told from someone else, and from the same person in another survey', async () => {
    const [one, two] = [await publishSurvey(server, token, DEVICE), await publishSurvey(server, token, DEVICE)]
    for (const [id, device] of [
      [one, 'a'],
      [one, 'b'],
      [two, 'a'],
    ] as const)
      expect((await submit(server, id, { q1: 9 }, { device })).status).toBe(201)
  })

  test('of an unfinished response may still finish, and only one of the two', async () => {
    const id = await publishSurvey(server, token, DEVICE)
    const lost = await submit(server, id, { q1: 1 }, { device: 'x', completed: false })
    const again = await submit(server, id, { q1: 2 }, { device: 'x', completed: false })
    const answers = await Promise.all([
      go(lost.body.token, { completed: true }),
      go(again.body.token, { completed: true }),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(await statesOf(id)).toEqual(['completed', 'partial'])
  })

  test('needs the token that single_use asks for', async () => {
    const id = await publishSurvey(server, token, SINGLE)
    expect((await submit(server, id, { q1: 9 })).body).toMatchObject({ status: 422, issues: [{ path: 'token' }] })
  })

  test('is free to answer again once the first response was deleted', async () => {
    const id = await publishSurvey(server, token, SINGLE)
    const first = await submit(server, id, { q1: 9 }, { token: 't' })
    await server.request('DELETE', `/v1/responses/${first.body.id}`, { token })
    expect((await submit(server, id, { q1: 9 }, { token: 't' })).status).toBe(201)
  })
})

describe('quotas', () => {
  const PLANS = {
    custom_fields: ['plan'],
    quotas: [
      { id: 'pro', when: { custom: 'plan', op: 'eq', value: 'pro' }, limit: 2 },
      { id: 'low', when: { question: 'q1', op: 'lte', value: 6 }, limit: 3 },
    ],
  }

  test('are never passed under concurrency; what is over is kept as over_quota without an event', async () => {
    const id = await publishSurvey(server, token, PLANS)
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, i) =>
        submit(server, id, { q1: i % 2 ? 3 : 9 }, { custom_data: { plan: i % 4 < 2 ? 'pro' : 'free' } }),
      ),
    )
    expect(answers.every(({ status }) => status === 201)).toBe(true)
    const { body } = await server.request('GET', `/v1/responses?limit=100&survey_id=${id}`, { token })
    const completed = body.data.filter(({ state }: { state: string }) => state === 'completed')
    expect(completed.filter((row: { custom_data: { plan: string } }) => row.custom_data.plan === 'pro')).toHaveLength(2)
    expect(completed.filter((row: { score: { value: number } }) => row.score.value <= 6)).toHaveLength(3)
    expect(body.data).toHaveLength(16)
    expect(await eventsOf(id)).toHaveLength(completed.length)
    const report = await server.request('GET', `/v1/surveys/${id}/report`, { token })
    expect(report.body.quotas).toEqual([
      { id: 'pro', limit: 2, count: 2 },
      { id: 'low', limit: 3, count: 3 },
    ])
  })

  test('take nothing from one quota when another is full', async () => {
    const id = await publishSurvey(server, token, PLANS)
    for (let i = 0; i < 3; i++) await submit(server, id, { q1: 9 }, { custom_data: { plan: 'pro' } })
    expect((await submit(server, id, { q1: 1 }, { custom_data: { plan: 'pro' } })).body.state).toBe('over_quota')
    const report = await server.request('GET', `/v1/surveys/${id}/report`, { token })
    expect(report.body.quotas).toMatchObject([{ count: 2 }, { count: 0 }])
  })

  test('get a place back from a response that is quarantined or deleted, and lose it again by a release', async () => {
    const id = await publishSurvey(server, token, { quotas: [{ id: 'all', limit: 1 }] })
    const first = await submit(server, id, { q1: 9 })
    await server.request('POST', `/v1/responses/${first.body.id}/quarantine`, { token })
    const second = await submit(server, id, { q1: 9 })
    expect(second.body.state).toBe('completed')
    const release = (body?: object) =>
      server.request('POST', `/v1/responses/${first.body.id}/release`, { token, ...(body && { body }) })
    expect(await release()).toMatchObject({ status: 409, body: { code: 'quota_full' } })
    expect((await release({ exceed: true })).body.state).toBe('completed')
    expect((await submit(server, id, { q1: 9 })).body.state).toBe('over_quota')
    for (const { body } of [first, second]) await server.request('DELETE', `/v1/responses/${body.id}`, { token })
    expect((await submit(server, id, { q1: 9 })).body.state).toBe('completed')
  })
})

describe('a release', () => {
  const act = (id: string, verb: string, body?: object) =>
    server.request('POST', `/v1/responses/${id}/${verb}`, { token, ...(body && { body }) })

  async function heldBack(surveyId: string, n: number): Promise<string[]> {
    const ids: string[] = []
    for (let i = 0; i < n; i++) {
      const { body } = await submit(server, surveyId, { q1: 9 })
      await act(body.id, 'quarantine')
      ids.push(body.id)
    }
    return ids
  }

  const THREE = { quotas: [{ id: 'all', limit: 3 }] }
  const HIGH = { quotas: [{ id: 'high', when: { question: 'q1', op: 'gte', value: 8 }, limit: 3 }] }
  test.each<[string, Record<string, unknown>]>([
    ['a quota of everybody', THREE],
    ['a quota with a condition', HIGH],
    ['the response limit', { response_limit: 3 }],
    ['the lower one of both', { ...THREE, response_limit: 5 }],
  ])('under concurrency passes %s exactly to its limit', async (_, survey) => {
    const id = await publishSurvey(server, token, survey)
    const ids = await heldBack(id, 8)
    const answers = await Promise.all(ids.map((one) => act(one, 'release')))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 409, 409, 409, 409, 409])
    for (const { body } of answers.filter(({ status }) => status === 409)) expect(body.code).toBe('quota_full')
    expect((await statesOf(id)).filter((state) => state === 'completed')).toHaveLength(3)
    expect((await eventsOf(id)).filter(({ type }) => type === 'response.released')).toHaveLength(3)
  })

  test('and completions share the places that are left', async () => {
    const id = await publishSurvey(server, token, THREE)
    const ids = await heldBack(id, 4)
    await Promise.all([
      ...ids.map((one) => act(one, 'release')),
      ...Array.from({ length: 4 }, () => submit(server, id, { q1: 9 })),
    ])
    expect((await statesOf(id)).filter((state) => state === 'completed')).toHaveLength(3)
  })

  test('passes the limit on request, and heeds the limits of today', async () => {
    const id = await publishSurvey(server, token, { quotas: [{ id: 'all', limit: 2 }], response_limit: 2 })
    const [one = '', two = ''] = await heldBack(id, 2)
    for (let i = 0; i < 2; i++) await submit(server, id, { q1: 9 })
    expect((await act(one, 'release')).body.detail).toContain('The response limit of the survey is reached')
    expect((await act(one, 'release', { exceed: false })).status).toBe(409)
    for (const wrong of [{ exceed: 'yes' }, { exceeds: true }])
      expect((await act(one, 'release', wrong)).status).toBe(400)
    expect((await act(one, 'release', { exceed: true })).body.state).toBe('completed')
    const change = (body: object) => server.request('PATCH', `/v1/surveys/${id}`, { token, body })
    await change({ response_limit: 4, quotas: [{ id: 'all', limit: 3 }] })
    await server.request('POST', `/v1/surveys/${id}/publish`, { token })
    expect((await act(two, 'release')).body.detail).toContain('The quota all is reached')
    await change({ quotas: [] })
    await server.request('POST', `/v1/surveys/${id}/publish`, { token })
    expect((await act(two, 'release')).body.state).toBe('completed')
  })

  test('leads an unfinished response back, full or not', async () => {
    const id = await publishSurvey(server, token, { quotas: [{ id: 'all', limit: 1 }] })
    const begun = await submit(server, id, { q1: 9 }, { completed: false })
    await act(begun.body.id, 'quarantine')
    await submit(server, id, { q1: 9 })
    expect((await act(begun.body.id, 'release')).body.state).toBe('partial')
  })
})

describe('a full quota', () => {
  const ASKED = {
    custom_fields: ['plan'],
    questions: [
      { id: 'q1', type: 'nps', title: 'T', required: true },
      { id: 'q2', type: 'open_text', title: 'T {{answer.q1}}' },
    ],
    quotas: [
      { id: 'low', when: { question: 'q1', op: 'lte', value: 6 }, limit: 1 },
      { id: 'silent', when: { question: 'q2', op: 'is_skipped' }, limit: 1 },
    ],
  }

  test('ends the survey with the answer that meets it, and not before', async () => {
    const id = await publishSurvey(server, token, ASKED)
    await submit(server, id, { q1: 1 })
    const begun = await submit(server, id, {}, { completed: false })
    expect(begun.body.state).toBe('started')
    expect((await go(begun.body.token, { answers: { q1: 9 } })).body.state).toBe('partial')
    expect((await go(begun.body.token, { answers: { q1: 2 } })).body.state).toBe('over_quota')
    expect((await go(begun.body.token, { answers: { q2: 'more' }, completed: true })).status).toBe(409)
    expect(await eventsOf(id)).toHaveLength(1)
  })

  test('ends the page on which the answer is given', async () => {
    const id = await publishSurvey(server, token, ASKED)
    await submit(server, id, { q1: 1 })
    const form = { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' }
    const page = await server.request('POST', `/public/s/${id}`, { body: 'q1=3&_next=1&_page=0', headers: form })
    expect(page.text).toContain('has all the responses it needs')
    expect(page.text).not.toContain('<form')
    expect(await statesOf(id)).toEqual(['completed', 'over_quota'])
  })

  const SKIPPABLE = {
    questions: [
      {
        id: 'q1',
        type: 'single',
        title: 'T',
        choices: [
          { id: 'a', label: 'A' },
          { id: 'b', label: 'B' },
        ],
        required: true,
      },
      { id: 'q2', type: 'single', title: 'T', choices: [{ id: 'x', label: 'X' }] },
      { id: 'q3', type: 'open_text', title: 'T', required: true },
    ],
    metric: null,
    logic: [{ when: { question: 'q1', op: 'eq', value: 'a' }, then: [{ action: 'jump', to: 'q3' }] }],
    quotas: [{ id: 'x', when: { question: 'q2', op: 'eq', value: 'x' }, limit: 1 }],
  }

  test('does not end a response whose answer may still be left out by one before it', async () => {
    const id = await publishSurvey(server, token, SKIPPABLE)
    await submit(server, id, { q1: 'b', q2: 'x', q3: 'T' })
    const begun = await submit(server, id, { q2: 'x' }, { completed: false })
    expect(begun.body.state).toBe('partial')
    expect((await go(begun.body.token, { answers: { q1: 'a', q3: 'T' }, completed: true })).body.state).toBe(
      'completed',
    )
  })

  test('does not end a response whose variable may still change', async () => {
    const id = await publishSurvey(server, token, {
      ...SKIPPABLE,
      variables: { points: 5 },
      logic: [
        {
          after: 'q3',
          when: { question: 'q3', op: 'is_answered' },
          then: [{ action: 'calculate', variable: 'points', operation: 'set', value: 0 }],
        },
      ],
      quotas: [{ id: 'points', when: { variable: 'points', op: 'gte', value: 5 }, limit: 1 }],
    })
    await submit(server, id, { q1: 'b', q3: 'T' })
    await server.peek("update quota_counts set count = 1 where quota_id = 'points'")
    expect((await submit(server, id, { q1: 'b' }, { completed: false })).body.state).toBe('partial')
  })

  test('does not end the survey of somebody who goes back to change that answer', async () => {
    const id = await publishSurvey(server, token, {
      ...SKIPPABLE,
      logic: [{ when: { question: 'q2', op: 'eq', value: 'x' }, then: [{ action: 'end' }] }, ...SKIPPABLE.logic],
    })
    await submit(server, id, { q1: 'b', q2: 'x', q3: 'T' })
    const first = await openPage(server, id)
    const second = await sendPage(server, first, [['q1', 'b']])
    const back = await sendPage(server, second, [['q2', 'x']], '_back')
    expect(questionsOn(back)).toEqual(['q1'])
    expect(await statesOf(id)).toEqual(['completed', 'partial'])
  })

  test('is told at the door where the link alone decides it', async () => {
    const id = await publishSurvey(server, token, {
      ...ASKED,
      quotas: [{ id: 'pro', when: { custom: 'plan', op: 'eq', value: 'pro' }, limit: 1 }],
    })
    await submit(server, id, { q1: 1 }, { custom_data: { plan: 'pro' } })
    const open = (plan: string) =>
      server.request('GET', `/public/s/${id}?plan=${plan}`, { headers: { accept: 'text/html' } })
    expect((await open('pro')).status).toBe(410)
    expect((await open('free')).status).toBe(200)
  })
})

test('a language with a low line counts as its tag', async () => {
  const id = await publishSurvey(server, token, { languages: ['en', 'de', 'pt-BR'] })
  for (const [language, stored] of [
    ['de_AT', 'de'],
    ['pt_BR', 'pt-BR'],
  ] as const) {
    const { body } = await submit(server, id, { q1: 9 }, { language })
    const read = await server.request('GET', `/v1/responses/${body.id}`, { token })
    expect([read.status, read.body.language]).toEqual([200, stored])
  }
  const listed = await server.request('GET', `/v1/responses?survey_id=${id}&language=pt_BR`, { token })
  expect(listed.body.data).toHaveLength(1)
})

test('a language that the survey does not have falls back to its default, and a channel that nobody may claim is refused', async () => {
  const id = await publishSurvey(server, token)
  const { body } = await submit(server, id, { q1: 9 }, { language: 'xx' })
  expect((await server.request('GET', `/v1/responses/${body.id}`, { token })).body).toMatchObject({
    language: 'en',
    channel: 'web',
  })
  for (const channel of ['email', 'sms', 'voice', 'pigeon']) {
    expect((await submit(server, id, { q1: 9 }, { channel })).body).toMatchObject({
      status: 400,
      issues: [{ path: 'channel' }],
    })
  }
})
