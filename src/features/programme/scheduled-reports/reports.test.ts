import { randomUUID } from 'node:crypto'
import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { newId } from '../../../platform/ids.ts'
import { createWorkspace, runSweep, type TestWorkspace } from '../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../testing/harness.ts'
import { makeLiveSurvey, NPS_SURVEY, submit } from '../../../testing/makers.ts'
import { parseId, type TenantId } from '../../../platform/ids.ts'
import { requireNoErasureSince } from '../../trust/data-protection/requests.service.ts'
import { PLANS, runRequests } from '../../trust/data-protection/person.fixture.ts'
import { recordEmail, type RecordingEmail } from '../../../testing/recording-email.ts'
import { sendMailSweep } from '../../access/mail/mail.feature.ts'
import { shortFirst } from './running.service.ts'
import { oldRunsSweep, runsSweep, scheduleSweep } from './reports.feature.ts'

let server: TestServer
let mail: RecordingEmail
let owner: TestWorkspace
beforeAll(async () => {
  server = await startTestServer()
  mail = recordEmail(server)
})
beforeEach(async () => {
  owner = await createWorkspace(server)
  mail.sent.length = 0
})
afterAll(() => server.close())

const call = (method: string, path: string, body?: unknown) =>
  server.request(method, `/v1${path}`, { token: owner.token, body })

async function make(more: object = {}) {
  const [dashboard] = (await call('GET', '/dashboards')).body.data
  const made = await call('POST', '/reports', {
    name: 'Figures',
    dashboard_id: dashboard.id,
    recipients: [owner.userId],
    ...more,
  })
  expect(made.status, made.text).toBe(201)
  return made.body
}

async function answerSix(): Promise<void> {
  const surveyId = await makeLiveSurvey(server, owner)
  for (let n = 0; n < 6; n++) await submit(server, surveyId, { answers: { q1: 9, q3: 'Secret words' } })
}

test('a workspace runs at most ten reports a minute by hand', async () => {
  const { id } = await make()
  for (let n = 0; n < 10; n++) expect((await call('POST', `/reports/${id}/run`)).status).toBe(202)
  const refused = await call('POST', `/reports/${id}/run`)
  expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
  expect((await call('GET', `/reports/${id}/runs`)).body.data).toHaveLength(10)
  // The sweeps of the other tests have no run to find.
  await call('DELETE', `/reports/${id}`)
})

test('a run makes a document and one mail with charts, and shows its progress', async () => {
  await answerSix()
  const { id } = await make()
  const started = await call('POST', `/reports/${id}/run`)
  expect(started.status, started.text).toBe(202)
  expect(started.body).toMatchObject({ status: 'waiting', progress: { done: 0, total: 2 }, scheduled_for: null })
  const path = `/reports/${id}/runs/${started.body.id}`
  expect((await call('GET', `${path}/document`)).body.code).toBe('not_ready')
  await Promise.all([runSweep(server, runsSweep), runSweep(server, runsSweep)])
  expect((await call('GET', path)).body).toMatchObject({ status: 'completed', progress: { done: 2, total: 2 } })
  const document = await call('GET', `${path}/document`)
  expect(document.headers.get('content-type')).toContain('text/html')
  expect(document.text).toContain('Net Promoter Score')
  expect(document.text).not.toContain('Secret words')
  await runSweep(server, sendMailSweep)
  await runSweep(server, runsSweep)
  await runSweep(server, sendMailSweep)
  expect(mail.sent).toHaveLength(1)
  const [message] = mail.sent
  expect(message?.html).toMatch(/<img src="cid:chart1" alt="Net Promoter Score[.] 100"/)
  expect(message?.text).toContain('Net Promoter Score')
  expect(message?.attachments?.[0]).toMatchObject({ contentId: 'chart1', type: 'image/png' })
  expect(
    Buffer.from(message?.attachments?.[0]?.base64 ?? '', 'base64')
      .subarray(1, 4)
      .toString(),
  ).toBe('PNG')
  expect((await call('GET', `/reports/${id}/runs`)).body.data).toHaveLength(1)
})

test('a gauge in a mail is a rounded figure with its doubt, above a picture of its scale', async () => {
  const surveyId = await makeLiveSurvey(server, owner)
  for (const q1 of [10, 10, 9, 9, 10, 0]) await submit(server, surveyId, { answers: { q1 } })
  const { id } = await make()
  await call('POST', `/reports/${id}/run`)
  await runSweep(server, runsSweep)
  await runSweep(server, sendMailSweep)
  const [message] = mail.sent
  // Five of six promote and one does not: 66.67.
  expect(message?.html).toMatch(/>67<\/p><img src="cid:chart1"[^>]*>[^\n]*likely between 7 and 100<\/p>[^\n]*n = 6/)
  expect(message?.text).toContain('Net Promoter Score\n  67\n  likely between 7 and 100\n  n = 6')
  expect(`${message?.html}${message?.text}`).not.toMatch(/66[.,]6/)
})

test('a document may be a PDF', async () => {
  await answerSix()
  const { id } = await make({ format: 'pdf' })
  const { body: run } = await call('POST', `/reports/${id}/run`)
  await runSweep(server, runsSweep)
  const document = await call('GET', `/reports/${id}/runs/${run.id}/document`)
  expect(document.headers.get('content-type')).toBe('application/pdf')
  expect(document.text.slice(0, 5)).toBe('%PDF-')
  await runSweep(server, sendMailSweep)
  expect(mail.sent[0]?.attachments?.at(-1)).toMatchObject({ type: 'application/pdf' })
})

const VICTIM = 'victim.person@secret.example'

test.each([
  ['html', VICTIM],
  ['pdf', VICTIM],
  // The letter cuts this name within the address.
  ['html', `${'wide '.repeat(17)}${VICTIM}`],
])(
  'a document (%s) whose group has an address in its name (%s) goes with the person, and names the mails that left',
  async (format, name) => {
    const survey = { ...NPS_SURVEY, custom_fields: ['plan'] }
    const surveyId = await makeLiveSurvey(server, owner, survey)
    for (const plan of [name, 'pro'])
      for (let n = 0; n < 6; n++) await submit(server, surveyId, { answers: { q1: 9 }, custom_data: { plan } })
    const dashboard = (await call('POST', '/dashboards', { name: 'Plans', widgets: [PLANS] })).body
    const { id } = await make({ dashboard_id: dashboard.id, format })
    const { body: run } = await call('POST', `/reports/${id}/run`)
    await runSweep(server, runsSweep)
    const documentOf = () => call('GET', `/reports/${id}/runs/${run.id}/document`)
    expect((await documentOf()).status).toBe(200)
    const { body: others } = await call('POST', '/gdpr/requests', {
      kind: 'erasure',
      subject: { email: 'x@y.example' },
    })
    await runRequests(server)
    expect((await call('GET', `/gdpr/requests/${others.id}`)).body.counts).toMatchObject({ reports: 0 })
    expect((await documentOf()).status).toBe(200)
    const subject = { email: VICTIM }
    const { body: request } = await call('POST', '/gdpr/requests', { kind: 'erasure', subject })
    await runRequests(server)
    expect((await call('GET', `/gdpr/requests/${request.id}`)).body).toMatchObject({
      status: 'completed',
      counts: { reports: 1, responses: 6 },
    })
    expect(await documentOf()).toMatchObject({ status: 410, body: { code: 'report_erased' } })
    const { external } = (await call('GET', `/gdpr/requests/${request.id}/certificate`)).body
    expect(external).toContainEqual({ kind: 'email', target: run.id, at: expect.any(String) })
    await call('POST', `/reports/${id}/run`)
    await runSweep(server, runsSweep)
    await call('DELETE', `/reports/${id}`)
    expect(await server.peek(`select 1 from typed_contacts where place = 'report_runs'`)).toEqual([])
  },
)

test('a report waits while somebody is erased, and what it read before is not stored', async () => {
  const surveyId = await makeLiveSurvey(server, owner, { ...NPS_SURVEY, custom_fields: ['plan'] })
  const plan = VICTIM
  for (let n = 0; n < 6; n++) await submit(server, surveyId, { answers: { q1: 9 }, custom_data: { plan } })
  const dashboard = (await call('POST', '/dashboards', { name: 'Plans', widgets: [PLANS] })).body
  const { id } = await make({ dashboard_id: dashboard.id })
  const { body: run } = await call('POST', `/reports/${id}/run`)
  const readAt = server.clock.now()
  await call('POST', '/gdpr/requests', { kind: 'erasure', subject: { email: plan } })
  await runSweep(server, runsSweep)
  const read = async () => (await call('GET', `/reports/${id}/runs/${run.id}`)).body
  expect(await read()).toMatchObject({ status: 'waiting', error: null })
  await runRequests(server)
  const stillRead = (since: Date) =>
    server.services.run((system) =>
      system
        .tenant(parseId('workspace', owner.workspaceId) as TenantId, { type: 'system' })
        .read((tx) => requireNoErasureSince(tx, since)),
    )
  await expect(stillRead(readAt)).rejects.toThrow('somebody is being erased')
  // Files of exports may take long to go, and the rows are erased by then.
  const unfinished = `update privacy_requests set status = 'cleaning', completed_at = null, next_at = '2100-01-01' returning 1`
  expect(await server.peek(unfinished)).not.toEqual([])
  await expect(stillRead(readAt)).rejects.toThrow('somebody is being erased')
  server.clock.advance(2_000)
  await stillRead(server.clock.now())
  await runSweep(server, runsSweep)
  expect(await read()).toMatchObject({ status: 'completed' })
  expect((await call('GET', `/reports/${id}/runs/${run.id}/document`)).text).not.toContain(plan)
  await runSweep(server, sendMailSweep)
  expect(mail.sent.map(({ html }) => html).join('')).not.toContain(plan)
})

test('a report asks ever more seldom whether an erasure has ended, and that is no attempt', async () => {
  const { id } = await make()
  await call('POST', '/gdpr/requests', { kind: 'erasure', subject: { email: VICTIM } })
  await call('POST', `/reports/${id}/run`)
  const pauses: number[] = []
  for (let pause = 0; pauses.length < 8; pauses.push(pause)) {
    await runSweep(server, runsSweep)
    const [run] = await server.peek<{ next_at: Date; attempts: number; status: string }>(
      'select next_at, attempts, status from report_runs where next_at is not null',
    )
    expect(run).toMatchObject({ attempts: 0, status: 'waiting' })
    pause = ((run?.next_at.getTime() ?? 0) - server.clock.now().getTime()) / 1_000
    server.clock.advance(pause * 1_000)
  }
  expect(pauses).toEqual([2, 2, 4, 8, 16, 32, 60, 60])
  await runRequests(server)
  server.clock.advance(1)
  await runSweep(server, runsSweep)
  expect((await call('GET', `/reports/${id}/runs`)).body.data).toMatchObject([{ status: 'completed' }])
})

test('a schedule runs once at each of its times, with any number of workers', async () => {
  const { id, next_run_at: next } = await make({ schedule: { cron: '0 14 * * *', timezone: 'Europe/Berlin' } })
  expect(next).toBe('2026-03-02T13:00:00.000Z')
  server.clock.set(new Date(next))
  await Promise.all([runSweep(server, scheduleSweep), runSweep(server, scheduleSweep)])
  await runSweep(server, scheduleSweep)
  // A clock that goes back does not start it again.
  server.clock.set(new Date(Date.parse(next) - 60_000))
  await runSweep(server, scheduleSweep)
  const { data } = (await call('GET', `/reports/${id}/runs`)).body
  expect(data).toMatchObject([{ scheduled_for: next }])
  expect((await call('GET', `/reports/${id}`)).body.next_run_at).toBe('2026-03-03T13:00:00.000Z')
  await call('PATCH', `/reports/${id}`, { enabled: false })
  expect((await call('GET', `/reports/${id}`)).body.next_run_at).toBeNull()
})

test('a run whose worker died is made by another, and its mail goes out once', async () => {
  const { id } = await make()
  const { body: run } = await call('POST', `/reports/${id}/run`)
  await server.peek(
    `update report_runs set status = 'running', lease_token = '${randomUUID()}', next_at = '${new Date(server.clock.now().getTime() + 180_000).toISOString()}'`,
  )
  await runSweep(server, runsSweep)
  expect((await call('GET', `/reports/${id}/runs/${run.id}`)).body.status).toBe('running')
  server.clock.advance(180_000)
  await runSweep(server, runsSweep)
  await runSweep(server, sendMailSweep)
  expect((await call('GET', `/reports/${id}/runs/${run.id}`)).body.status).toBe('completed')
  expect(mail.sent.filter(({ to }) => to === owner.email)).toHaveLength(1)
})

test('workspaces take turns, one run of each, so that long runs of one do not hold up the run of another', async () => {
  await answerSix()
  const { id } = await make()
  for (let n = 0; n < 3; n++) await call('POST', `/reports/${id}/run`)
  const many = owner
  const statuses = async () =>
    (await server.request('GET', `/v1/reports/${id}/runs`, { token: many.token })).body.data.map(
      (run: { status: string }) => run.status,
    )
  // Workspaces have their turns in the order of their ids, so this one comes last.
  owner = await createWorkspace(server)
  expect(owner.workspaceId > many.workspaceId).toBe(true)
  const query = { source: 'responses', measure: 'count' }
  const widgets = [{ id: 'w1', kind: 'number', title: 'All', query, layout: { x: 0, y: 0, w: 4, h: 3 } }]
  const dashboard = (await call('POST', '/dashboards', { name: 'One number', widgets })).body
  const { id: few } = await make({ dashboard_id: dashboard.id })
  const { body: run } = await call('POST', `/reports/${few}/run`)

  const send = Worker.prototype.postMessage
  const held: Array<() => void> = []
  const drawing = vi.spyOn(Worker.prototype, 'postMessage').mockImplementation(function (this: Worker, ...message) {
    held.push(() => send.apply(this, message))
  })
  const sweep = runSweep(server, runsSweep)
  await vi.waitFor(async () =>
    expect((await call('GET', `/reports/${few}/runs/${run.id}`)).body.status).toBe('completed'),
  )
  await vi.waitFor(() => expect(held).toHaveLength(1))
  expect((await statuses()).toSorted()).toEqual(['running', 'waiting', 'waiting'])
  drawing.mockRestore()
  for (const post of held) post()
  await sweep
  expect(await statuses()).toEqual(['completed', 'completed', 'completed'])
  await call('DELETE', `/reports/${few}`)
  await server.request('DELETE', `/v1/reports/${id}`, { token: many.token })
})

test('a workspace whose last run was long comes after the others', async () => {
  const [long, fresh, short] = [newId('workspace'), newId('workspace'), newId('workspace')]
  const lastMs = new Map([
    [long, 24_000],
    [short, 400],
  ])
  expect(shortFirst([long, fresh, short], lastMs)).toEqual([fresh, short, long])
})

test('what a report names must be there, and a dashboard with a report stays', async () => {
  const unknown = await call('POST', '/reports', { name: 'X', dashboard_id: 'dsh_x' })
  expect([unknown.status, unknown.body.issues[0].path]).toEqual([422, 'dashboard_id'])
  const dashboard = (await call('POST', '/dashboards', { name: 'Ours' })).body
  const body = { name: 'X', dashboard_id: dashboard.id }
  const stranger = await call('POST', '/reports', { ...body, recipients: ['usr_x'] })
  expect([stranger.status, stranger.body.issues[0].path]).toEqual([422, 'recipients.0'])
  expect((await call('POST', '/reports', { ...body, schedule: { cron: 'now' } })).status).toBe(400)
  const { id } = (await call('POST', '/reports', body)).body
  const refused = await call('DELETE', `/dashboards/${dashboard.id}`)
  expect(refused.body).toMatchObject({ code: 'in_use', used_by: [{ type: 'report', id, name: 'X' }] })
  expect((await call('DELETE', `/reports/${id}`)).status).toBe(204)
  expect((await call('DELETE', `/dashboards/${dashboard.id}`)).status).toBe(204)
})

test('runs go after 90 days', async () => {
  const { id } = await make()
  await call('POST', `/reports/${id}/run`)
  await server.peek(`update report_runs set created_at = '2020-01-01', id = '00000000-0000-7000-8000-000000000001'`)
  await runSweep(server, oldRunsSweep)
  expect((await call('GET', `/reports/${id}/runs`)).body.data).toEqual([])
})
