import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseId, type Id, type TenantId } from '../../../platform/ids.ts'
import { createWorkspace } from '../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../testing/harness.ts'
import { createDraft, publishSurvey, submit } from '../../../testing/survey-fixtures.ts'
import { sendToken } from '../../delivery/sends/send-token.ts'

const DAY_MS = 86_400_000
const QUESTIONS = [
  { id: 'q1', type: 'nps', title: 'T' },
  { id: 'q2', type: 'single', title: 'T', choices: ['a', 'b'].map((id) => ({ id, label: id })) },
  { id: 'q3', type: 'open_text', title: 'T' },
]
const ANONYMOUS = { privacy: 'anonymous', questions: QUESTIONS, custom_fields: ['plan'] }

let server: TestServer
let token: string
beforeAll(async () => {
  server = await startTestServer()
  ;({ token } = await createWorkspace(server))
})
afterAll(() => server.close())

async function report(id: string, query: Record<string, string> = {}) {
  const { status, body } = await server.request('GET', `/v1/surveys/${id}/report?${new URLSearchParams(query)}`, {
    token,
  })
  expect(status).toBe(200)
  return body
}

test('a response has no person, agent or exact time, and its webhooks carry the day', async () => {
  const id = await publishSurvey(server, token, ANONYMOUS)
  const { body } = await submit(server, id, { q1: 9, q3: 'Fine' }, { custom_data: { plan: 'pro' } })
  expect(body.state).toBe('completed')
  const [row] = await server.peek<Record<string, unknown>>(
    `select r.*, e.data, e.created_at as told_at from responses r join events e on e.source like '%' || r.id || '%' where r.anonymity is not null order by r.id desc limit 1`,
  )
  const day = new Date(Math.floor(server.clock.now().getTime() / DAY_MS) * DAY_MS)
  expect(row).toMatchObject({ agent_id: null, person_id: null, duration_ms: null })
  expect([row?.['started_at'], row?.['completed_at'], row?.['updated_at'], row?.['told_at']]).toEqual(
    Array.from({ length: 4 }, () => day),
  )
  expect(JSON.parse(String(row?.['data']))).toMatchObject({
    startedAt: day.toISOString(),
    completedAt: day.toISOString(),
    text: [{ questionId: 'q3', value: 'Fine' }],
  })
  // A UUIDv7 begins with its time in milliseconds.
  expect(Number.parseInt(String(row?.['id']).replace('-', '').slice(0, 12), 16)).toBe(day.getTime())
})

test('nobody reads a response by itself', async () => {
  const id = await publishSurvey(server, token, ANONYMOUS)
  const ids = []
  for (let n = 0; n < 12; n++) ids.push((await submit(server, id, { q1: n % 11, q3: `Word ${n}` })).body.id)
  await report(id)
  for (const filter of [
    undefined,
    { all: [] },
    { not: { any: [] } },
    { all: [{ field: 'survey_id', op: 'eq', value: id }] },
  ])
    for (const search of [undefined, 'Word']) {
      const query = new URLSearchParams({ survey_id: id, ...(search && { search }) })
      if (filter) query.set('filter', JSON.stringify(filter))
      const { body } = await server.request('GET', `/v1/responses?${query}`, { token })
      expect(body.data).toEqual([])
    }
  for (const rid of ids) {
    const path = `/v1/responses/${rid}`
    expect(await server.request('GET', path, { token })).toMatchObject({ status: 404 })
    expect(await server.request('PATCH', path, { token, body: { tags: ['x'] } })).toMatchObject({ status: 404 })
    expect(await server.request('DELETE', path, { token })).toMatchObject({ status: 404 })
    expect(await server.request('POST', `${path}/tags`, { token, body: { tags: ['x'] } })).toMatchObject({
      status: 404,
    })
  }
})

test('below five nothing shows, and no two reports differ in fewer than five people', async () => {
  const id = await publishSurvey(server, token, {
    ...ANONYMOUS,
    quotas: [{ id: 'men', when: { question: 'q2', op: 'eq', value: 'a' }, limit: 100 }],
  })
  // What every report shows of each answer, whatever the order of reading and answering.
  const shown = new Set<number>()
  const ranges = (now: number) =>
    [0, 1, 3].map((days) => ({
      from: new Date(now - days * DAY_MS).toISOString().slice(0, 10),
      to: new Date(now).toISOString().slice(0, 10),
    }))
  for (let n = 0; n < 12; n++) {
    await submit(server, id, { q1: n % 11, q2: 'ab'[n % 2], q3: `Word ${n}` })
    for (const range of [{}, ...ranges(server.clock.now().getTime())]) {
      const body = await report(id, range)
      for (const period of [body, body.previous]) {
        expect(period.counts.total).toBe(period.nps.n)
        shown.add(period.nps.n)
      }
      for (const day of body.trend) shown.add(day.n)
      expect(body.quotas).toEqual([])
      if (body.nps.n === 0) expect(body.questions.every((each: { reached: number }) => each.reached === 0)).toBe(true)
    }
    server.clock.advance(DAY_MS / 4)
  }
  expect([...shown].sort((a, b) => a - b)).toEqual([0, 5, 10])
  for (const field of ['score', 'channel', 'custom.plan', 'answer.q2', 'completed_at']) {
    const filter = JSON.stringify({ not: { field, op: 'is_not_set' } })
    const answer = await server.request('GET', `/v1/surveys/${id}/report?${new URLSearchParams({ filter })}`, { token })
    expect(answer).toMatchObject({ status: 422, body: { code: 'anonymous_survey', issues: [{ path: 'filter' }] } })
  }
})

test('twelve who answered before anybody looked are shown together', async () => {
  const id = await publishSurvey(server, token, ANONYMOUS)
  for (let n = 0; n < 12; n++) await submit(server, id, { q1: 10 })
  expect(await report(id)).toMatchObject({ nps: { n: 12, score: 100 }, counts: { completed: 12, total: 12 } })
})

test('texts are shown from five on, in another order and without their response', async () => {
  const id = await publishSurvey(server, token, ANONYMOUS)
  const filter = JSON.stringify({ all: [{ field: 'survey_id', op: 'eq', value: id }] })
  const list = async (query: Record<string, string> = {}) =>
    (await server.request('GET', `/v1/verbatim?${new URLSearchParams({ filter, ...query })}`, { token })).body
  const words = Array.from({ length: 12 }, (_, n) => `The delivery was late ${n}`)
  for (const [n, q3] of words.entries()) {
    if (n === 4) expect(await list()).toEqual({ data: [], next_cursor: null })
    await submit(server, id, { q1: n % 11, q3 })
  }
  const { data } = await list()
  const texts = data.map((row: { text: string }) => row.text)
  expect(texts.toSorted()).toEqual(words.toSorted())
  expect(texts).not.toEqual(words)
  for (const row of data)
    expect(row).toMatchObject({
      response_id: null,
      completed_at: null,
      agent_id: null,
      score: null,
      band: null,
      language: 'en',
      sentiment: { label: 'negative', source: 'rules' },
      topics: [expect.objectContaining({ name: 'Delivery' }), expect.anything()],
    })
  const first = await list({ limit: '7' })
  const second = await list({ limit: '7', cursor: first.next_cursor })
  expect([...first.data, ...second.data]).toEqual(data)
  expect((await server.request('GET', '/v1/verbatim', { token })).body.data).toEqual([])
})

test('privacy cannot change once there are responses, not even by a draft', async () => {
  const id = await publishSurvey(server, token)
  const to = (privacy: string) => server.request('PATCH', `/v1/surveys/${id}`, { token, body: { privacy } })
  expect(await to('anonymous')).toMatchObject({ status: 200, body: { privacy: 'anonymous' } })
  await submit(server, id, { q1: 9 })
  expect(await server.request('POST', `/v1/surveys/${id}/publish`, { token })).toMatchObject({
    status: 422,
    body: { issues: [{ path: 'privacy' }] },
  })
  expect(await server.request('POST', `/v1/surveys/${id}/validate`, { token })).toMatchObject({
    body: { valid: false, issues: [{ path: 'privacy' }] },
  })
  expect(await to('open')).toMatchObject({ status: 200 })
  expect(await to('anonymous')).toMatchObject({ status: 422, body: { issues: [{ path: 'privacy' }] } })
})

test('people are invited by email only, and no send tells which response it led to', async () => {
  const id = await publishSurvey(server, token, ANONYMOUS)
  const invite = (body: object) => server.request('POST', `/v1/surveys/${id}/invite`, { token, body })
  const recipients = [{ email: 'ann@example.com', phone: '+4915112345678' }]
  for (const [body, path] of [
    [{ channel: 'sms', recipients }, 'channel'],
    [{ channel: 'email', recipients, reminders: [{ after_hours: 24, channel: 'voice' }] }, 'reminders.0.channel'],
  ] as const)
    expect(await invite(body)).toMatchObject({
      status: 422,
      body: { code: 'anonymous_survey', issues: [{ path: expect.stringContaining(path) }] },
    })
  expect(await invite({ channel: 'email', recipients })).toMatchObject({ status: 202, body: { accepted: 1 } })
  const [send] = await server.peek<{ id: Id<'send'>; tenant_id: TenantId }>('select id, tenant_id from sends')
  if (!send) throw new Error('nothing was sent')
  const link = sendToken(server.services.secrets, 'respond', { tenantId: send.tenant_id, id: send.id })
  const begun = await submit(server, id, { q1: 4 }, { token: link, completed: false })
  const sends = async () => (await server.request('GET', '/v1/sends', { token })).body.data[0]
  expect((await sends()).status).toBe('started')
  expect((await sends()).response_id).not.toBe(begun.body.id)
  await server.request('PATCH', `/public/responses/${begun.body.token}`, { body: { answers: {}, completed: true } })
  expect(await sends()).toMatchObject({ status: 'completed', response_id: null })
  const [row] = await server.peek('select person_id, agent_id from responses where survey_id = $1', [
    parseId('survey', id),
  ])
  expect(row).toEqual({ person_id: null, agent_id: null })
})

test('an anonymous survey cannot ask for an address', async () => {
  const { id } = await createDraft(server, token, {
    privacy: 'anonymous',
    dedupe: 'contact',
    questions: [
      { id: 'q1', type: 'nps', title: 'T' },
      { id: 'who', type: 'contact', title: 'T' },
      { id: 'mail', type: 'open_text', format: 'email', title: 'T' },
    ],
  })
  const { body } = await server.request('POST', `/v1/surveys/${id}/publish`, { token })
  expect(body.issues.map((issue: { path: string }) => issue.path)).toEqual(['questions.1', 'questions.2', 'dedupe'])
})
