import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createMember, createWorkspace, runSweep, type TestWorkspace } from '../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../testing/harness.ts'
import { makeLiveSurvey } from '../../../testing/makers.ts'
import { segmentInvitationsSweep } from '../invitations/invitations.feature.ts'

let server: TestServer
let owner: TestWorkspace
beforeAll(async () => {
  server = await startTestServer()
})
beforeEach(async () => {
  owner = await createWorkspace(server)
})
afterAll(() => server.close())

const call = (method: string, path: string, body?: unknown) =>
  server.request(method, `/v1${path}`, { token: owner.token, body })
const PRO = { all: [{ field: 'attribute.plan', op: 'eq', value: 'pro' }] }
const ALL = { all: [] }

async function addPeople(count: number, more: (n: number) => object = () => ({})) {
  const rows = Array.from({ length: count }, (_, n) => ({ email: `p${n}@example.com`, name: `P${n}`, ...more(n) }))
  expect((await call('POST', '/people/import', { rows })).body).toMatchObject({ created: count })
}

async function makeSegment(filter: object = ALL): Promise<string> {
  const made = await call('POST', '/segments', { name: 'Customers', filter })
  expect(made.status, made.text).toBe(201)
  return made.body.id
}

test('a segment is made, read, changed, listed and deleted', async () => {
  const id = await makeSegment(PRO)
  expect((await call('GET', `/segments/${id}`)).body).toMatchObject({
    id,
    name: 'Customers',
    description: '',
    filter: PRO,
  })
  const changed = await call('PATCH', `/segments/${id}`, { description: 'Everybody', filter: ALL })
  expect(changed.body).toMatchObject({ name: 'Customers', description: 'Everybody', filter: ALL })
  expect((await call('GET', '/segments')).body.data).toMatchObject([{ id }])
  expect((await call('DELETE', `/segments/${id}`)).status).toBe(204)
  expect((await call('GET', `/segments/${id}`)).status).toBe(404)
  const wrong = await call('POST', '/segments', { name: 'x', filter: { all: [{ field: 'plan', op: 'eq', value: 1 }] } })
  expect(wrong).toMatchObject({ status: 400, body: { issues: [{ path: 'filter.all.0.field' }] } })
})

test('a preview counts people, and shows ten of them masked', async () => {
  await addPeople(12, (n) => ({ attributes: { plan: n < 11 ? 'pro' : 'free' } }))
  const id = await makeSegment(PRO)
  for (const preview of [
    await call('GET', `/segments/${id}/preview`),
    await call('POST', '/segments/preview', { filter: PRO }),
  ]) {
    expect(preview.status, preview.text).toBe(200)
    expect(preview.body).toMatchObject({ count: 11 })
    expect(preview.body.sample).toHaveLength(10)
    expect(preview.body.sample[0]).toMatchObject({ email: 'p***@example.com', name: 'P***' })
  }
})

describe('an invitation of a segment', () => {
  const invite = (surveyId: string, body: object) =>
    call('POST', `/surveys/${surveyId}/invite`, { channel: 'email', ...body })

  test('asks those who are in it when it is accepted, each once', async () => {
    const survey = await makeLiveSurvey(server, owner)
    await addPeople(3, (n) => ({
      attributes: { plan: 'pro' },
      ...(n === 2 && { email: undefined, phone: '+4930901820' }),
    }))
    await call('POST', '/suppression', { channel: 'email', address: 'p1@example.com' })
    const answer = await invite(survey, { segment_id: await makeSegment(PRO) })
    expect(answer.status, answer.text).toBe(202)
    expect(answer.body).toMatchObject({
      accepted: 1,
      deferred: 0,
      skipped: [
        { index: 1, reason: 'suppressed' },
        { index: 2, reason: 'invalid_address' },
      ],
    })
    const { body } = await call('GET', `/invitations/${answer.body.id}`)
    expect(body).toMatchObject({
      segment_id: expect.stringMatching(/^seg_/),
      status: 'sending',
      accepted: 1,
      skipped: { suppressed: 1, invalid_address: 1 },
      progress: { total: 1, waiting: 1, undecided: 0 },
    })
    const person = (await call('GET', '/people?search=p0@example.com')).body.data[0]
    expect(person.last_invited_at).toBeNull()
    expect((await call('GET', `/people/${person.id}/timeline`)).body).toMatchObject({
      data: [{ kind: 'planned', channel: 'email', survey_id: survey, invitation_id: answer.body.id }],
      next_cursor: null,
    })
  })

  test('decides a large segment in the background, and goes on where it stopped', async () => {
    const survey = await makeLiveSurvey(server, owner)
    await addPeople(2_500)
    const answer = await invite(survey, { segment_id: await makeSegment() })
    expect(answer.body).toMatchObject({ accepted: 1_000, skipped: [] })
    const path = `/invitations/${answer.body.id}`
    expect((await call('GET', path)).body).toMatchObject({
      status: 'sending',
      progress: { total: 1_000, undecided: 1_500 },
    })
    // People who join the segment now are not asked.
    await call('POST', '/people', { email: 'late@example.com' })
    let renewals = 0
    const interrupted = server.services.run((system) =>
      segmentInvitationsSweep.run(system, {
        limit: 100,
        signal: new AbortController().signal,
        renew: async () => (renewals += 1) <= 2,
      }),
    )
    expect(await interrupted).toBe(1)
    expect((await call('GET', path)).body).toMatchObject({
      accepted: 2_000,
      progress: { total: 2_000, undecided: 500 },
    })
    // The worker gave it back after its turn, so another goes on at once.
    expect(await runSweep(server, segmentInvitationsSweep)).toBe(1)
    const done = (await call('GET', path)).body
    expect(done).toMatchObject({ accepted: 2_500, progress: { total: 2_500, undecided: 0 } })
    const [row] = await server.peek<{ n: number; people: number }>(
      'select count(*)::int as n, count(distinct person_id)::int as people from sends s join invitations i on i.tenant_id = s.tenant_id and i.id = s.invitation_id where i.accepted = 2500',
    )
    expect(row).toEqual({ n: 2_500, people: 2_500 })
    expect(await runSweep(server, segmentInvitationsSweep)).toBe(0)
  }, 60_000)

  test('is cancelled with the people who are not decided', async () => {
    const survey = await makeLiveSurvey(server, owner)
    await addPeople(1_001)
    const { id } = (await invite(survey, { segment_id: await makeSegment() })).body
    const cancelled = await call('POST', `/invitations/${id}/cancel`)
    expect(cancelled.body).toMatchObject({ status: 'cancelled', progress: { waiting: 0, undecided: 0 } })
    server.clock.advance(120_000)
    expect(await runSweep(server, segmentInvitationsSweep)).toBe(0)
  }, 30_000)

  test('keeps a segment that an alert rule asks for', async () => {
    const segment = await makeSegment()
    const filter = { all: [{ field: 'segment_id', op: 'eq', value: segment }] }
    const rule = (await call('POST', '/alert-rules', { name: 'Gold', trigger: { on: 'response', filter } })).body
    expect((await call('DELETE', `/segments/${segment}`)).body).toMatchObject({
      code: 'in_use',
      used_by: [{ type: 'alert_rule', id: rule.id, name: 'Gold' }],
    })
    await call('DELETE', `/alert-rules/${rule.id}`)
    expect((await call('DELETE', `/segments/${segment}`)).status).toBe(204)
  })

  test('keeps the segment while it is scheduled', async () => {
    const survey = await makeLiveSurvey(server, owner)
    await addPeople(1)
    const segment = await makeSegment()
    const sendAt = new Date(server.clock.now().getTime() + 3_600_000).toISOString()
    const { id } = (await invite(survey, { segment_id: segment, send_at: sendAt })).body
    expect(await call('DELETE', `/segments/${segment}`)).toMatchObject({
      status: 409,
      body: { code: 'in_use', used_by: [{ type: 'invitation', id, name: 'After delivery' }] },
    })
    await call('POST', `/invitations/${id}/cancel`)
    expect((await call('DELETE', `/segments/${segment}`)).status).toBe(204)
    expect(await invite(survey, { segment_id: segment })).toMatchObject({
      status: 422,
      body: { code: 'unknown_segment', issues: [{ path: 'segment_id' }] },
    })
  })
})

test('responses are chosen by the segment of their person', async () => {
  const survey = await makeLiveSurvey(server, owner)
  const segment = await makeSegment(PRO)
  const filter = (op: string) => JSON.stringify({ all: [{ field: 'segment_id', op, value: segment }] })
  const answer = await server.request('POST', `/public/surveys/${survey}/responses`, { body: { answers: { q1: 9 } } })
  expect(answer.status).toBe(201)
  const list = async (op: string) =>
    (await call('GET', `/responses?${new URLSearchParams({ filter: filter(op) })}`)).body.data
  expect(await list('eq')).toEqual([])
  expect(await list('ne')).toHaveLength(1)
})

test('a segment by attributes shows them to nobody who reads people masked', async () => {
  const surveyId = await makeLiveSurvey(server, owner)
  await addPeople(2, (n) => ({ attributes: { health: n === 0 ? 'ill' : 'well' } }))
  const ILL = {
    all: [{ not: { field: 'attribute.health', op: 'eq', value: 'ill' } }, { field: 'language', op: 'is_set' }],
  }
  const id = await makeSegment(ILL)
  const open = await makeSegment()
  for (const name of ['viewer', 'analyst']) {
    const { token } = await createMember(server, owner.token, name)
    const as = (method: string, path: string, body?: unknown) =>
      server.request(method, `/v1${path}`, { token, ...(body !== undefined && { body }) })
    const shown = { all: [{ not: { ...ILL.all[0]?.not, value: '***' } }, ILL.all[1]] }
    expect((await as('GET', `/segments/${id}`)).body.filter).toEqual(shown)
    expect((await as('GET', '/segments')).body.data.map(({ filter }: { filter: unknown }) => filter)).toEqual([
      ALL,
      shown,
    ])
    const by = (segment: string) => ({ all: [{ field: 'segment_id', op: 'eq', value: segment }] })
    const query = (segment: string) => `filter=${encodeURIComponent(JSON.stringify(by(segment)))}`
    const figures = (segment: string) => ({
      period: { days: 7 },
      queries: { n: { source: 'responses', measure: 'count', filter: by(segment) } },
    })
    const ways = (segment: string) => [
      as('GET', `/segments/${segment}/preview`),
      as('GET', `/responses?${query(segment)}`),
      as('GET', `/responses?count=true&${query(segment)}`),
      as('GET', `/verbatim?${query(segment)}`),
      as('GET', `/verbatim?count=true&${query(segment)}`),
      as('GET', `/verbatim/themes?${query(segment)}`),
      as('GET', `/surveys/${surveyId}/report?${query(segment)}`),
      as('POST', '/figures', figures(segment)),
    ]
    for (const answered of await Promise.all(ways(open))) expect(answered.status, answered.text).toBe(200)
    for (const answered of await Promise.all(ways(id)))
      expect(answered.body, answered.text).toMatchObject({ status: 403, permission: 'people.manage' })
  }
})
