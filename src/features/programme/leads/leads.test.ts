import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createMember, createWorkspace, type TestWorkspace } from '../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../testing/harness.ts'
import { makeLiveSurvey, submit } from '../../../testing/makers.ts'

const SURVEY = {
  name: 'After the fair',
  metric: 'nps',
  questions: [
    { id: 'q1', type: 'nps', title: 'How likely are you to recommend us?' },
    { id: 'who', type: 'contact', title: 'Who are you?', fields: ['name', 'email', 'phone', 'company'] },
    { id: 'ok', type: 'consent', title: { en: 'May we call you?', de: 'Dürfen wir anrufen?' } },
  ],
  lead_capture: { contact: 'who', consent: 'ok', when: { question: 'q1', op: 'gte', value: 9 } },
}
const ADA = { name: 'Ada Lovelace', email: 'Ada@Example.com', company: 'Engines' }

let server: TestServer
let workspace: TestWorkspace

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  workspace = await createWorkspace(server)
})

const call = (method: string, path: string, body?: unknown, token = workspace.token) =>
  server.request(method, `/v1${path}`, { token, body })
const leads = async () => (await call('GET', '/leads')).body.data

async function createdEvents(): Promise<Array<{ leadId: string; text: unknown }>> {
  const rows = await server.peek<{ data: string }>("select data from events where type = 'lead.created' order by id")
  const ids = new Set((await leads()).map(({ id }: { id: string }) => id))
  return rows.map(({ data }) => JSON.parse(data)).filter(({ leadId }) => ids.has(leadId))
}

describe('a survey that captures leads', () => {
  let surveyId: string
  beforeEach(async () => {
    surveyId = await makeLiveSurvey(server, workspace, SURVEY)
  })

  test('makes a lead in the transaction that completes the response', async () => {
    const { id } = await submit(server, surveyId, { answers: { q1: 9, who: ADA, ok: true }, language: 'de' })
    const [lead] = await leads()
    expect(lead).toMatchObject({
      status: 'new',
      source: 'response',
      response_id: id,
      survey_id: surveyId,
      name: 'Ada Lovelace',
      email: 'ada@example.com',
      company: 'Engines',
      phone: null,
      consent: { given: true, text: 'Dürfen wir anrufen?', at: server.clock.now().toISOString() },
    })
    expect(await createdEvents()).toMatchObject([
      { leadId: lead.id, responseId: id, text: [{ questionId: 'who', value: { email: 'ada@example.com' } }] },
    ])
  })

  test('makes none without the consent, the condition, an address or a completed response', async () => {
    await submit(server, surveyId, { answers: { q1: 9, who: ADA } })
    await submit(server, surveyId, { answers: { q1: 9, who: ADA, ok: false } })
    await submit(server, surveyId, { answers: { q1: 3, who: ADA, ok: true } })
    await submit(server, surveyId, { answers: { q1: 9, who: { name: 'Ada' }, ok: true } })
    await submit(server, surveyId, { answers: { q1: 9, who: ADA, ok: true }, completed: false })
    expect(await leads()).toEqual([])
  })

  test('has one lead for an email or a phone, and refreshes it', async () => {
    await submit(server, surveyId, { answers: { q1: 9, who: ADA, ok: true } })
    const [first] = await leads()
    await call('PATCH', `/leads/${first.id}`, { status: 'qualified', tags: ['fair'] })
    const who = { ...ADA, email: 'ADA@example.com', phone: '+49 30 901820', company: 'New Engines' }
    const second = await submit(server, surveyId, { answers: { q1: 10, who, ok: true } })
    await submit(server, surveyId, { answers: { q1: 10, who: { phone: '+4930901820' }, ok: true } })
    const [lead, ...others] = await leads()
    expect(others).toEqual([])
    expect(lead).toMatchObject({ id: first.id, status: 'qualified', phone: '+4930901820', company: 'New Engines' })
    expect(lead.response_id).not.toBe(second.id)
    expect(await createdEvents()).toHaveLength(1)
  })

  test('makes one lead of parallel responses', async () => {
    await Promise.all(
      Array.from({ length: 10 }, () => submit(server, surveyId, { answers: { q1: 9, who: ADA, ok: true } })),
    )
    expect(await leads()).toHaveLength(1)
    expect(await createdEvents()).toHaveLength(1)
  })

  test('is refused if it names the wrong questions', async () => {
    const draft = async (lead_capture: object) => call('POST', '/surveys', { ...SURVEY, lead_capture })
    const unknown = await draft({ contact: 'nobody', consent: 'none' })
    expect(unknown.body.issues.map(({ path }: { path: string }) => path)).toEqual([
      'lead_capture.contact',
      'lead_capture.consent',
    ])
    const { id } = (await draft({ contact: 'ok', consent: 'who' })).body
    const published = await call('POST', `/surveys/${id}/publish`)
    expect(published.status).toBe(422)
    expect(published.body.issues.map(({ path }: { path: string }) => path)).toEqual([
      'lead_capture.contact',
      'lead_capture.consent',
    ])
    expect((await call('PATCH', `/surveys/${id}`, { lead_capture: null })).body.lead_capture).toBeUndefined()
  })
})

test('a known email or phone answers 200 with its lead', async () => {
  const made = await call('POST', '/leads', { email: 'ada@example.com', phone: '+4930901820', name: 'Ada' })
  expect(made.status, made.text).toBe(201)
  for (const body of [{ email: 'ADA@example.com' }, { phone: '+49 30 901820', name: 'Other' }]) {
    const again = await call('POST', '/leads', body)
    expect(again.status).toBe(200)
    expect(again.body).toEqual(made.body)
  }
  const other = (await call('POST', '/leads', { email: 'grace@example.com' })).body
  expect((await call('PATCH', `/leads/${other.id}`, { email: 'ada@example.com' })).body.code).toBe('known_contact')
  for (const body of [{ email: 'x' }, { phone: '123' }, { company: 'Only' }, { name: 'A', owner_id: 'usr_x' }])
    expect((await call('POST', '/leads', body)).status, JSON.stringify(body)).toBe(422)
})

test('any status may follow any, and notes name their author', async () => {
  const { id } = (await call('POST', '/leads', { name: 'Ada' })).body
  for (const status of ['lost', 'new', 'converted', 'contacted', 'qualified', 'new'])
    expect((await call('PATCH', `/leads/${id}`, { status })).body.status).toBe(status)
  const noted = await call('POST', `/leads/${id}/notes`, { text: 'Call on Monday' })
  expect(noted.status).toBe(201)
  expect(noted.body.notes).toMatchObject([{ text: 'Call on Monday', author: workspace.userId }])
  expect((await call('DELETE', `/leads/${id}`)).status).toBe(204)
  expect((await call('GET', `/leads/${id}`)).status).toBe(404)
})

test('who lacks leads.manage reads masked addresses', async () => {
  const viewer = await createMember(server, workspace.token, 'viewer')
  await call('POST', '/leads', { name: 'Ada', email: 'ada@example.com', phone: '+4930901820' })
  const seen = (await call('GET', '/leads', undefined, viewer.token)).body.data[0]
  expect(seen).toMatchObject({ name: 'A***', email: 'a***@example.com', phone: '+49*****20' })
})

test('a lead is found by every field of its filter', async () => {
  const body = { name: 'Ada', owner_id: workspace.userId, tags: ['fair', 'vip'], follow_up_at: '2026-03-05T09:00:00Z' }
  await call('POST', '/leads', body)
  const count = async (field: string, op: string, value: unknown) => {
    const filter = encodeURIComponent(JSON.stringify({ all: [{ field, op, value }] }))
    return (await call('GET', `/leads?filter=${filter}`)).body.data?.length
  }
  const passing: Array<[string, string, unknown]> = [
    ['status', 'eq', 'new'],
    ['source', 'eq', 'manual'],
    ['survey_id', 'is_not_set', undefined],
    ['owner_id', 'eq', workspace.userId],
    ['tag', 'eq', 'vip'],
    ['created_at', 'within_days', 1],
    ['follow_up_at', 'between', ['2026-03-05', '2026-03-05']],
  ]
  for (const [field, op, value] of passing) expect(await count(field, op, value), field).toBe(1)
  expect(await count('tag', 'eq', "'; drop table leads; --")).toBe(0)
  expect(await count('status', 'ne', 'new')).toBe(0)
})
