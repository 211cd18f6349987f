import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseId, type Id, type TenantId } from '../../../platform/ids.ts'
import { PERMISSIONS } from '../../../platform/permissions.ts'
import { createApiKey, createWorkspace, runSweep } from '../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../testing/harness.ts'
import { recordEmail } from '../../../testing/recording-email.ts'
import { createDraft, publishSurvey, submit } from '../../../testing/survey-fixtures.ts'
import { sendToken } from '../../delivery/sends/send-secrets.ts'
import { dispatchSweeps } from '../../outreach/messages/messages.feature.ts'

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
  const workspace = await createWorkspace(server)
  // A session would end within the day.
  token = (await createApiKey(server, workspace.token, [...PERMISSIONS])).key
})
afterAll(() => server.close())

async function report(id: string, query: Record<string, string> = {}) {
  const { status, body } = await server.request('GET', `/v1/surveys/${id}/report?${new URLSearchParams(query)}`, {
    token,
  })
  expect(status).toBe(200)
  return body
}

test('a response has no person, agent or exact time', async () => {
  const id = await publishSurvey(server, token, ANONYMOUS)
  const { body } = await submit(server, id, { q1: 9, q3: 'Fine' }, { custom_data: { plan: 'pro' } })
  expect(body.state).toBe('completed')
  const [row] = await server.peek<Record<string, unknown>>(
    'select * from responses where anonymity is not null order by id desc limit 1',
  )
  const day = new Date(Math.floor(server.clock.now().getTime() / DAY_MS) * DAY_MS)
  expect(row).toMatchObject({ agent_id: null, person_id: null, duration_ms: null })
  expect([row?.['started_at'], row?.['completed_at'], row?.['updated_at']]).toEqual([day, day, day])
  // A UUIDv7 begins with its time in milliseconds.
  expect(Number.parseInt(String(row?.['id']).replace('-', '').slice(0, 12), 16)).toBe(day.getTime())
  expect(await server.peek('select 1 from events')).toEqual([])
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
  const id = await publishSurvey(server, token, { ...ANONYMOUS, quotas: [{ id: 'all', limit: 100 }] })
  // Each number of answers that a report shows, in any order of reading and answering.
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
    if (n === 4) expect((await list({ count: 'true' })).count.matching).toEqual({ n: 0, exact: true })
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
  expect((await list({ limit: '1', count: 'true' })).count.matching).toEqual({ n: 12, exact: true })
  const first = await list({ limit: '7' })
  const second = await list({ limit: '7', cursor: first.next_cursor })
  expect([...first.data, ...second.data]).toEqual(data)
  expect(first.next_cursor, 'a place in the order').not.toMatch(/^[0-9a-f]{32}$/)
  server.clock.advance(DAY_MS)
  const later = await list({ limit: '7', cursor: first.next_cursor })
  expect([...first.data, ...later.data], 'a page goes on in its order').toEqual(data)
  expect(await list(), 'the next day has another order').not.toEqual({ data, next_cursor: null })
  expect((await list({ cursor: 'x' })).status).toBe(400)
  expect((await server.request('GET', '/v1/verbatim', { token })).body.data).toEqual([])
})

test('a page of long texts ends at 300 KB, and the next goes on', async () => {
  const long = { id: 'q1', type: 'open_text', title: 'Why?', max_length: 50_000 }
  const id = await publishSurvey(server, token, { ...ANONYMOUS, metric: null, questions: [long] })
  const words = Array.from({ length: 9 }, (_, n) => `${n} ${'late '.repeat(9_990)}.`)
  for (const q1 of words) await submit(server, id, { q1 })
  const filter = JSON.stringify({ all: [{ field: 'survey_id', op: 'eq', value: id }] })
  const texts: string[] = []
  const sizes: number[] = []
  let cursor: string | null = null
  do {
    const query: Record<string, string> = { filter, ...(cursor !== null && { cursor }) }
    const { body } = await server.request('GET', `/v1/verbatim?${new URLSearchParams(query)}`, { token })
    texts.push(...body.data.map(({ text }: { text: string }) => text))
    sizes.push(body.data.length)
    cursor = body.next_cursor
  } while (cursor !== null)
  expect(sizes).toEqual([7, 2])
  expect(texts.toSorted()).toEqual(words.toSorted())
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

test('people are invited by email only, and no send shows who has answered', async () => {
  const mail = recordEmail(server)
  const id = await publishSurvey(server, token, ANONYMOUS)
  const invite = (body: object) => server.request('POST', `/v1/surveys/${id}/invite`, { token, body })
  const recipients = ['ann', 'ben'].map((name) => ({
    email: `${name}@example.com`,
    phone: '+4915112345678',
    custom_data: { plan: name },
  }))
  for (const [body, path] of [
    [{ channel: 'sms', recipients }, 'channel'],
    [{ channel: 'email', recipients, reminders: [{ after_hours: 24, channel: 'voice' }] }, 'reminders.0.channel'],
  ] as const)
    expect(await invite(body)).toMatchObject({
      status: 422,
      body: { code: 'anonymous_survey', issues: [{ path: expect.stringContaining(path) }] },
    })
  expect(await invite({ channel: 'email', recipients, reminders: [{ after_hours: 24 }] })).toMatchObject({
    status: 202,
    body: { accepted: 2 },
  })
  await runSweep(server, dispatchSweeps.email)
  const letters = mail.sent.filter(({ to }) => to.endsWith('@example.com'))
  expect(letters).toHaveLength(2)
  for (const { html } of letters) expect(html).not.toMatch(/public\/track/)
  const [sent] = await server.peek<{ id: Id<'send'>; tenant_id: TenantId }>(
    `select id, tenant_id from sends where reminder = 0 and masked like 'a%'`,
  )
  if (!sent) throw new Error('nothing was sent')
  // The link and the picture of a mail from before.
  const ticket = { tenantId: sent.tenant_id, id: sent.id }
  const link = sendToken(server.services.secrets, 'respond', ticket)
  await server.request('GET', `/public/track/open/${sendToken(server.services.secrets, 'open', ticket)}.gif`)
  const begun = await submit(server, id, { q1: 4 }, { token: link, completed: false })
  await server.request('PATCH', `/public/responses/${begun.body.token}`, { body: { answers: {}, completed: true } })
  expect((await submit(server, id, { q1: 4 }, { token: link })).status, 'nobody answers twice').toBe(409)
  const day = new Date(Math.floor(server.clock.now().getTime() / DAY_MS) * DAY_MS).toISOString()
  const list = async (path: string) => (await server.request('GET', path, { token })).body.data
  const of = (send: object) => ({ ...send, recipient: null, id: null })
  const sends = (await list('/v1/sends')).filter(({ reminder }: { reminder: number }) => reminder === 0)
  expect(of(sends[0])).toEqual(of(sends[1]))
  expect(sends[0]).toMatchObject({ status: 'accepted', response_id: null, created_at: day, accepted_at: day })
  for (const stamp of ['opened_at', 'clicked_at', 'started_at', 'completed_at']) expect(sends[0][stamp]).toBeNull()
  for (const { accepted_at } of await list(`/v1/survey-deliveries?survey_id=${id}`)) expect(accepted_at).toBe(day)
  const told = await server.peek<{ data: string; created_at: Date }>(
    `select data, created_at from events where type = 'survey.sent'`,
  )
  expect(told.map(({ data, created_at }) => [JSON.parse(data).acceptedAt, created_at.toISOString()])).toEqual([
    [day, day],
    [day, day],
  ])
  const [row] = await server.peek('select person_id, agent_id, custom_data from responses where survey_id = $1', [
    parseId('survey', id),
  ])
  expect(row).toEqual({ person_id: null, agent_id: null, custom_data: {} })
  // A reminder that one person did not get would name the person who answered.
  server.clock.advance(DAY_MS)
  await runSweep(server, dispatchSweeps.email)
  expect(mail.sent.filter(({ to }) => to.endsWith('@example.com'))).toHaveLength(4)
})

test('an anonymous survey cannot ask for an address, or have a quota on answers', async () => {
  const { id } = await createDraft(server, token, {
    privacy: 'anonymous',
    dedupe: 'contact',
    quotas: [
      { id: 'all', limit: 5 },
      { id: 'low', limit: 5, when: { question: 'q1', op: 'lte', value: 6 } },
    ],
    questions: [
      { id: 'q1', type: 'nps', title: 'T' },
      { id: 'who', type: 'contact', title: 'T' },
      { id: 'mail', type: 'open_text', format: 'email', title: 'T' },
    ],
  })
  const { body } = await server.request('POST', `/v1/surveys/${id}/publish`, { token })
  expect(body.issues.map((issue: { path: string }) => issue.path)).toEqual([
    'questions.1',
    'questions.2',
    'dedupe',
    'quotas.1.when',
  ])
})
