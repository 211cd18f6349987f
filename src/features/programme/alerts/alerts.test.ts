import { IANAZone } from 'luxon'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { sendMailSweep } from '../../access/mail/mail.feature.ts'
import { createApiKey, createMember, createWorkspace, runSweep, type TestWorkspace } from '../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../testing/harness.ts'
import { makeLiveSurvey, submit } from '../../../testing/makers.ts'
import { parseId } from '../../../platform/ids.ts'
import { recordEmail } from '../../../testing/recording-email.ts'
import { dropsSweep, escalationSweep } from './alerts.feature.ts'

let server: TestServer
let workspace: TestWorkspace
let surveyId: string

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  workspace = await createWorkspace(server)
  surveyId = await makeLiveSurvey(server, workspace)
})

const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  server.request(method, `/v1${path}`, { token: workspace.token, body, headers })
const DETRACTORS = { on: 'response', filter: { all: [{ field: 'score', op: 'lte', value: 6 }] } }

async function makeRule(rule: object = {}): Promise<string> {
  const answer = await call('POST', '/alert-rules', { name: 'Unhappy', trigger: DETRACTORS, ...rule })
  expect(answer.status, answer.text).toBe(201)
  return answer.body.id
}

async function alerts(filter?: object) {
  const query = filter ? `?filter=${encodeURIComponent(JSON.stringify(filter))}` : ''
  const answer = await call('GET', `/alerts${query}`)
  expect(answer.status, answer.text).toBe(200)
  return answer.body
}

async function openOne(rule: object = {}): Promise<string> {
  await makeRule(rule)
  await submit(server, surveyId, { answers: { q1: 2, q3: 'Late again.' } })
  return (await alerts()).data[0].id
}

describe('a rule', () => {
  test('with many others counts working time for one answer once', async () => {
    const never = { weekdays: [1, 2, 3, 4, 5, 6, 7], start: '02:00', end: '02:02', holidays: [] }
    const zone = { timezone: 'Australia/Lord_Howe', business_hours: never }
    expect((await call('PATCH', '/org', zone)).status).toBe(200)
    const answer = async () => {
      const before = (await alerts()).data.length
      const asked = vi.spyOn(IANAZone.prototype, 'offset')
      await submit(server, surveyId, { answers: { q1: 2 } })
      const times = asked.mock.calls.length
      asked.mockRestore()
      return { times, opened: (await alerts()).data.length - before }
    }
    const makeLate = (minutes: number) => makeRule({ business_hours: true, due_in_minutes: minutes })
    await makeLate(500_000)
    const alone = await answer()
    for (let i = 1; i <= 4; i++) await makeLate(500_000 + i)
    const together = await answer()
    expect([alone.opened, together.opened]).toEqual([1, 5])
    expect(alone.times).toBeGreaterThan(1_000)
    expect(together.times).toBeLessThan(alone.times * 1.2)
  })

  test('opens an alert in the transaction that completes a response, and only for those that pass', async () => {
    const ruleId = await makeRule({ priority: 'high', due_in_minutes: 60 })
    await submit(server, surveyId, { answers: { q1: 9 } })
    const { id } = await submit(server, surveyId, { answers: { q1: 3, q3: 'Late again.' } })
    await submit(server, surveyId, { answers: { q1: 3 }, completed: false })
    const { data, counts } = await alerts()
    expect(data).toMatchObject([
      {
        rule_id: ruleId,
        response_id: id,
        survey_id: surveyId,
        status: 'new',
        priority: 'high',
        score: 3,
        excerpt: 'Late again.',
        opened_at: '2026-03-02T10:00:00.000Z',
        due_at: '2026-03-02T11:00:00.000Z',
        overdue: false,
        comment_count: 0,
      },
    ])
    expect(counts).toEqual({ new: 1, acknowledged: 0, in_progress: 0, resolved: 0, closed: 0, reopened: 0 })
  })

  test('holds from the next response on when it changes', async () => {
    const id = await makeRule()
    await submit(server, surveyId, { answers: { q1: 1 } })
    await call('PATCH', `/alert-rules/${id}`, { enabled: false })
    await submit(server, surveyId, { answers: { q1: 1 } })
    expect((await alerts()).data).toHaveLength(1)
    const trigger = { on: 'response', filter: { all: [{ field: 'score', op: 'eq', value: 10 }] } }
    await call('PATCH', `/alert-rules/${id}`, { enabled: true, trigger })
    await submit(server, surveyId, { answers: { q1: 10 } })
    expect((await alerts()).data).toHaveLength(2)
    await call('DELETE', `/alert-rules/${id}`)
    await submit(server, surveyId, { answers: { q1: 10 } })
    expect((await alerts()).data).toHaveLength(2)
  })

  test('fires once for a response, whatever is repeated: 20 parallel completions, replays, a release', async () => {
    await makeRule()
    const begun = await submit(server, surveyId, { answers: { q1: 2 }, completed: false })
    const complete = () =>
      server.request('PATCH', `/public/responses/${begun.token}`, { body: { answers: {}, completed: true } })
    const statuses = (await Promise.all(Array.from({ length: 20 }, complete))).map(({ status }) => status)
    expect(new Set(statuses)).toEqual(new Set([200]))
    await complete()
    for (const step of ['quarantine', 'release', 'quarantine', 'release'])
      expect((await call('POST', `/responses/${begun.id}/${step}`)).status).toBe(200)
    expect((await alerts()).data).toHaveLength(1)
    const events = await server.peek('select id from events where type = $1 and position($2 in data) > 0', [
      'alert.opened',
      begun.id,
    ])
    expect(events).toHaveLength(1)
  })

  test('waits for the release of a response that was quarantined before it was complete', async () => {
    await makeRule()
    const begun = await submit(server, surveyId, { answers: { q1: 2 }, completed: false })
    await call('POST', `/responses/${begun.id}/quarantine`)
    await server.request('PATCH', `/public/responses/${begun.token}`, { body: { answers: {}, completed: true } })
    expect((await alerts()).data).toEqual([])
    await call('POST', `/responses/${begun.id}/release`)
    expect((await alerts()).data).toMatchObject([{ response_id: begun.id }])
  })

  test('opens alerts that the agent of the response finds', async () => {
    await makeRule()
    const { body: agent } = await call('POST', '/agents', { name: 'Ada' })
    await submit(server, surveyId, { answers: { q1: 2 } })
    const { body: response } = await call('GET', '/responses')
    await call('PATCH', `/responses/${response.data[0].id}`, { agent_id: agent.id })
    await submit(server, surveyId, { answers: { q1: 3 } })
    const of = async (op: string, value?: unknown) => (await alerts({ all: [{ field: 'agent_id', op, value }] })).data
    expect(await of('eq', agent.id)).toMatchObject([{ response_id: response.data[0].id }])
    expect(await of('is_not_set')).toHaveLength(1)
  })

  test('opens alerts that are found by their response', async () => {
    await makeRule()
    await submit(server, surveyId, { answers: { q1: 2 } })
    const { id } = await submit(server, surveyId, { answers: { q1: 3 } })
    const { data } = await alerts({ all: [{ field: 'response_id', op: 'eq', value: id }] })
    expect(data).toMatchObject([{ response_id: id, score: 3 }])
  })

  test('is about its surveys, and refuses those and members of others', async () => {
    const other = await makeLiveSurvey(server, workspace)
    await makeRule({ survey_ids: [other] })
    await submit(server, surveyId, { answers: { q1: 0 } })
    expect((await alerts()).data).toEqual([])
    const refused = await call('POST', '/alert-rules', {
      name: 'x',
      trigger: DETRACTORS,
      owner_id: 'usr_x',
      notify: { email: [(await createWorkspace(server)).userId] },
    })
    expect(refused.status).toBe(422)
    expect(refused.body.issues.map(({ path }: { path: string }) => path)).toEqual(['owner_id', 'notify.email.0'])
    const bad = { on: 'response', filter: { all: [{ field: 'score', op: 'contains', value: 1 }] } }
    expect((await call('POST', '/alert-rules', { name: 'x', trigger: bad })).status).toBe(400)
  })

  test('can be tried on past responses, and opens nothing', async () => {
    for (const q1 of [1, 2, 9]) await submit(server, surveyId, { answers: { q1, q3: 'Slow' } })
    const preview = await call('POST', '/alert-rules/preview', { trigger: DETRACTORS, survey_ids: [surveyId], days: 7 })
    expect(preview.status, preview.text).toBe(200)
    expect(preview.body).toMatchObject({ count: 2, sample: [{ score: 2, excerpt: 'Slow' }, { score: 1 }] })
    expect((await alerts()).data).toEqual([])
  })

  test('mails the members that it names and the owner, once', async () => {
    const colleague = await createMember(server, workspace.token, 'viewer')
    const mail = recordEmail(server)
    await openOne({ owner_id: workspace.userId, notify: { email: [colleague.userId, workspace.userId] } })
    await runSweep(server, sendMailSweep)
    const told = mail.sent.filter(({ subject }) => subject === 'Earshot: Unhappy')
    expect(told.map(({ to }) => to).sort()).toEqual([colleague.email, workspace.email].sort())
    expect(told[0]?.text).toContain('Score: 2')
    expect(told[0]?.text).toContain('> Late again.')
  })
})

describe('a score that falls', () => {
  test('opens one alert in a window', async () => {
    // A session would end meanwhile.
    workspace.token = (await createApiKey(server, workspace.token, ['alerts.manage'])).key
    const trigger = { on: 'score_drop', metric: 'nps', window_days: 7, drop: 50, min_n: 3 }
    await makeRule({ trigger })
    for (const q1 of [10, 10, 10]) await submit(server, surveyId, { answers: { q1 } })
    server.clock.advance(8 * 86_400_000)
    for (const q1 of [0, 0]) await submit(server, surveyId, { answers: { q1 } })
    await runSweep(server, dropsSweep)
    expect((await alerts()).data).toEqual([])
    await submit(server, surveyId, { answers: { q1: 0 } })
    for (let hour = 0; hour < 30; hour++) {
      server.clock.advance(3_600_000)
      await runSweep(server, dropsSweep)
    }
    expect((await alerts()).data).toMatchObject([
      { response_id: null, survey_id: surveyId, score: -100, excerpt: null },
    ])
  })
})

describe('an alert', () => {
  test('goes its way forward, skips steps, and comes back', async () => {
    const id = await openOne()
    const to = async (status: string) => call('PATCH', `/alerts/${id}`, { status })
    for (const status of ['new', 'reopened'])
      expect((await to(status)).body).toMatchObject({ status: 409, code: 'invalid_transition' })
    expect((await to('acknowledged')).body).toMatchObject({ acknowledged_at: server.clock.now().toISOString() })
    expect((await to('acknowledged')).status).toBe(409)
    expect((await to('resolved')).body.resolved_at).not.toBeNull()
    expect((await to('in_progress')).status).toBe(409)
    expect((await to('reopened')).body).toMatchObject({ status: 'reopened', resolved_at: null, acknowledged_at: null })
    expect((await to('acknowledged')).status).toBe(200)
    expect((await to('closed')).body).toMatchObject({ status: 'closed' })
    const { timeline } = (await to('reopened')).body
    expect(timeline.map(({ kind, from, to: after }: Record<string, string>) => [kind, from, after])).toEqual([
      ['opened', null, 'new'],
      ['status', 'new', 'acknowledged'],
      ['status', 'acknowledged', 'resolved'],
      ['status', 'resolved', 'reopened'],
      ['status', 'reopened', 'acknowledged'],
      ['status', 'acknowledged', 'closed'],
      ['status', 'closed', 'reopened'],
    ])
    const events = await server.peek<{ data: string }>(
      'select data from events where type = $1 and position($2 in data) > 0 order by id',
      ['alert.resolved', id],
    )
    expect(events.map(({ data }) => JSON.parse(data).status)).toEqual(['resolved', 'closed'])
  })

  test('is taken by one of two people', async () => {
    const id = await openOne()
    const read = await call('GET', `/alerts/${id}`)
    const etag = read.headers.get('etag') ?? ''
    const take = () => call('PATCH', `/alerts/${id}`, { status: 'acknowledged' }, { 'if-match': etag })
    const [first, second] = await Promise.all([take(), take()])
    expect([first.status, second.status].sort()).toEqual([200, 409])
    expect([first, second].find(({ status }) => status === 409)?.body.code).toBe('taken')
  })

  test('keeps comments, causes and tickets in its timeline', async () => {
    const id = await openOne()
    const answer = await call('POST', `/alerts/${id}/comments`, { text: 'Called back.' })
    expect(answer.status).toBe(201)
    expect(answer.body).toMatchObject({ comment_count: 1, timeline: [{}, { kind: 'comment', text: 'Called back.' }] })
    const changed = await call('PATCH', `/alerts/${id}`, {
      root_cause: 'A lost parcel',
      case_url: 'https://tickets.example.com/7',
      priority: 'urgent',
      owner_id: workspace.userId,
    })
    expect(changed.body).toMatchObject({ root_cause: 'A lost parcel', case_url: 'https://tickets.example.com/7' })
    expect((await call('PATCH', `/alerts/${id}`, { case_url: 'http://x.example' })).status).toBe(400)
    expect((await call('PATCH', `/alerts/${id}`, { owner_id: 'usr_x' })).status).toBe(422)
  })

  test('shows the newest lines of a long timeline, as many as fit into 1 MB', async () => {
    const id = await openOne()
    await call('POST', `/alerts/${id}/comments`, { text: '字'.repeat(5_000) })
    // The same line 99 times more, each older.
    await server.peek(
      `insert into alert_entries (tenant_id, alert_id, id, at, actor, kind, before, after, text)
       select tenant_id, alert_id, ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, at, actor, kind, before, after, text
       from alert_entries, generate_series(1, 99) n where alert_id = $1 and kind = 'comment'`,
      [parseId('alert', id)],
    )
    await call('POST', `/alerts/${id}/comments`, { text: 'The newest.' })
    const { status, text, body } = await call('GET', `/alerts/${id}`)
    expect(status, text).toBe(200)
    expect(Buffer.byteLength(text)).toBeLessThan(1_000_000)
    expect(body.timeline.length).toBeGreaterThan(30)
    expect(body.timeline.at(-1).text).toBe('The newest.')
  })

  test('is found by every field of its filter', async () => {
    const id = await openOne({ due_in_minutes: 10, owner_id: workspace.userId })
    const count = async (field: string, op: string, value: unknown) =>
      (await alerts({ all: [{ field, op, value }] })).data.length
    server.clock.advance(11 * 60_000)
    const rule_id = (await alerts()).data[0].rule_id
    const passing: Array<[string, string, unknown]> = [
      ['status', 'one_of', ['new', 'reopened']],
      ['priority', 'eq', 'normal'],
      ['rule_id', 'eq', rule_id],
      ['survey_id', 'eq', surveyId],
      ['owner_id', 'eq', workspace.userId],
      ['overdue', 'eq', true],
      ['opened_at', 'within_days', 1],
      ['due_at', 'lt', server.clock.now().toISOString()],
    ]
    for (const [field, op, value] of passing) expect(await count(field, op, value), field).toBe(1)
    for (const [field] of passing) {
      const hostile = await call(
        'GET',
        `/alerts?filter=${encodeURIComponent(JSON.stringify({ all: [{ field, op: 'eq', value: "'; drop table alerts; --" }] }))}`,
      )
      expect([200, 400], field).toContain(hostile.status)
      if (hostile.status === 200) expect(hostile.body.data).toEqual([])
    }
    await call('PATCH', `/alerts/${id}`, { status: 'closed' })
    expect(await count('overdue', 'eq', true)).toBe(0)
  })

  test('escalates once if nobody acknowledged it in time', async () => {
    const lead = await createMember(server, workspace.token, 'manager')
    const mail = recordEmail(server)
    const id = await openOne({ escalate_after_minutes: 30, escalate_to: lead.userId })
    const taken = await openOne({ escalate_after_minutes: 30, escalate_to: lead.userId, name: 'Taken' })
    expect(taken).not.toBe(id)
    for (const alert of (await alerts()).data)
      if (alert.id !== id) await call('PATCH', `/alerts/${alert.id}`, { status: 'acknowledged' })
    await runSweep(server, escalationSweep)
    expect((await call('GET', `/alerts/${id}`)).body.escalated_at).toBeNull()
    server.clock.advance(31 * 60_000)
    await runSweep(server, escalationSweep)
    await runSweep(server, escalationSweep)
    const escalated = (await call('GET', `/alerts/${id}`)).body
    expect(escalated).toMatchObject({ owner_id: lead.userId, status: 'new' })
    expect(escalated.timeline.map(({ kind }: { kind: string }) => kind)).toEqual(['opened', 'escalated'])
    await runSweep(server, sendMailSweep)
    const told = mail.sent.filter(({ subject }) => subject.includes('nobody has acknowledged'))
    expect(told.map(({ to }) => to)).toEqual([lead.email])
  })

  test('escalates past members who left, so that somebody gets a mail', async () => {
    const join = () => createMember(server, workspace.token, 'manager')
    const [owner, lead, colleague] = [await join(), await join(), await join()]
    const id = await openOne({
      owner_id: owner.userId,
      escalate_after_minutes: 30,
      escalate_to: lead.userId,
      notify: { email: [colleague.userId] },
    })
    const told = async () => {
      const mail = recordEmail(server)
      mail.sent.length = 0
      await runSweep(server, escalationSweep)
      await runSweep(server, sendMailSweep)
      return mail.sent.filter(({ subject }) => subject.includes('nobody has acknowledged')).map(({ to }) => to)
    }
    expect((await call('DELETE', `/members/${lead.userId}`)).status).toBe(204)
    server.clock.advance(31 * 60_000)
    expect(await told()).toEqual([owner.email])
    const escalated = (await call('GET', `/alerts/${id}`)).body
    expect(escalated).toMatchObject({ owner_id: owner.userId, escalated_at: server.clock.now().toISOString() })
    expect(escalated.timeline.at(-1)).toMatchObject({ kind: 'escalated', from: owner.userId, to: owner.userId })
    await submit(server, surveyId, { answers: { q1: 2 } })
    expect((await call('DELETE', `/members/${owner.userId}`)).status).toBe(204)
    server.clock.advance(31 * 60_000)
    expect(await told()).toEqual([colleague.email])
  })

  test('loses its excerpt with a deleted response', async () => {
    const id = await openOne()
    await call('DELETE', `/responses/${(await alerts()).data[0].response_id}`)
    expect((await call('GET', `/alerts/${id}`)).body).toMatchObject({ excerpt: null, status: 'new' })
  })

  test('names the person that its response names, and nobody once the response is gone', async () => {
    const { body: person } = await call('POST', '/people', { email: 'grace@example.com', name: 'Grace Hopper' })
    const id = await openOne()
    expect((await alerts()).data).toMatchObject([{ person_id: null }])
    await server.peek(
      `update responses r set person_id = p.id from people p where r.tenant_id = p.tenant_id and r.person_id is null`,
    )
    const [listed] = (await alerts()).data
    expect(listed.person_id).toBe(person.id)
    const viewer = await createMember(server, workspace.token, 'viewer')
    const read = async (path: string) => (await server.request('GET', `/v1${path}`, { token: viewer.token })).body
    expect((await read(`/alerts/${id}`)).person_id).toBe((await read(`/responses/${listed.response_id}`)).person_id)
    expect(await read(`/people/${person.id}`)).toMatchObject({ name: 'G***' })
    await call('DELETE', `/responses/${listed.response_id}`)
    expect((await call('GET', `/alerts/${id}`)).body.person_id).toBeNull()
  })
})
