import { Registry } from 'prom-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorkspace, runSweep, type TestWorkspace } from '../../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../../testing/harness.ts'
import { makeLiveSurvey, NPS_SURVEY, submit } from '../../../../testing/makers.ts'
import { startReceiver, type Receiver } from '../../../../testing/receiver.ts'
import { thresholdSweep } from '../../../answers/responses/responses.feature.ts'
import { formatId, newId } from '../../../../platform/ids.ts'
import { ownSubject, subjectOf } from '../../events/subjects.ts'
import { createDeliveryEngine, type DeliveryEngine } from '../engine/delivery-engine.ts'

let server: TestServer
let engine: DeliveryEngine
let receiver: Receiver
let workspace: TestWorkspace
let surveyId: string
beforeAll(async () => {
  server = await startTestServer()
  const { run, log, settings } = server.services
  engine = createDeliveryEngine({ run, log, settings, clock: server.clock, metrics: new Registry() })
  await server.services.bus.listen({ 'webhook-deliveries': engine })
  receiver = await startReceiver()
  workspace = await createWorkspace(server)
  surveyId = await makeLiveSurvey(server, workspace)
  await call('POST', '/webhooks', { url: receiver.url })
  await call('POST', '/webhooks', { url: receiver.url, events: ['response.completed'] })
  await call('POST', '/alert-rules', { name: 'All', trigger: { on: 'response', filter: { all: [] } } })
})
afterAll(async () => {
  await engine.stop()
  await server.services.bus.stop()
  await server.close()
  await receiver.close()
})

const call = (method: string, path: string, body?: unknown) =>
  server.request(method, `/v1${path}`, { token: workspace.token, ...(body !== undefined && { body }) })
const found = async (query: string) => (await call('GET', `/webhook-deliveries?${query}`)).body
interface Row {
  event: string
  event_id: string
  subject: { type: string; id: string } | null
}
const eventsOf = (rows: Row[]) => rows.map(({ event }) => event).toSorted()
async function answer(id = surveyId) {
  const { id: response } = await submit(server, id, { answers: { q1: 3 } })
  await settle()
  return response
}
async function settle() {
  await new Promise((resume) => setImmediate(resume))
  await engine.idle()
}

test('a delivery has its subject, and is found by it and by its event, with its counts', async () => {
  const id = await answer()
  const other = await answer()
  await call('POST', `/responses/${id}/tags`, { tags: ['late'] })
  await settle()
  const ofResponse = await found(`subject_id=${id}`)
  expect(eventsOf(ofResponse.data)).toEqual(['response.completed', 'response.completed', 'response.updated'])
  expect(ofResponse.data.map(({ subject }: Row) => subject)).toEqual(
    ofResponse.data.map(() => ({ type: 'response', id })),
  )
  const total = (counts: Record<string, number>) => Number(counts['pending']) + Number(counts['delivered'])
  expect(total(ofResponse.counts) + ofResponse.counts.failed).toBe(3)
  expect((await found(`subject_id=${other}`)).data).toHaveLength(2)

  const alerts = (await call('GET', '/alerts')).body.data
  const alert = alerts.find(({ response_id }: { response_id: string }) => response_id === id)
  const ofAlert = await found(`subject_id=${alert.id}`)
  expect(ofAlert.data).toMatchObject([{ event: 'alert.opened', subject: { type: 'alert', id: alert.id } }])

  const [{ event_id }] = ofAlert.data
  expect((await found(`event_id=${event_id}`)).data).toEqual(ofAlert.data)
  expect((await found(`event_id=${event_id}&subject_id=${id}`)).data).toEqual([])
  const narrowed = await found(`subject_id=${id}&event=response.updated`)
  expect(eventsOf(narrowed.data)).toEqual(['response.updated'])
  const first = await found(`subject_id=${id}&limit=2`)
  const second = await found(`subject_id=${id}&limit=2&cursor=${first.next_cursor}`)
  expect([...first.data, ...second.data]).toEqual(ofResponse.data)
})

test('a lead and a webhook are subjects, and differ from things of a response', async () => {
  const lead = (await call('POST', '/leads', { name: 'Ada', email: 'ada@example.com' })).body
  await settle()
  expect((await found(`subject_id=${lead.id}`)).data).toMatchObject([
    { event: 'lead.created', subject: { type: 'lead', id: lead.id } },
  ])
  expect((await found(`subject_id=${surveyId}`)).data).toEqual([])
  const [response, own] = [newId('response'), newId('lead')]
  const source = `response:${response}:lead:${own}:created`
  expect(subjectOf('lead.created', source, null)).toEqual({ type: 'lead', id: formatId('lead', own) })
  expect(ownSubject(source)).toBe(own)
  expect(ownSubject(`response:${response}:completed`)).toBeNull()
  const survey = newId('survey')
  expect(subjectOf('survey.sent', `send:${own}:sent`, survey)?.id).toBe(formatId('survey', survey))
  const webhook = newId('webhook')
  expect(subjectOf('webhook.disabled', `webhook:${webhook}:disabled:2026-03-02T10:00:00.000Z`, null)).toEqual({
    type: 'webhook',
    id: formatId('webhook', webhook),
  })
  expect(subjectOf('response.completed', `test:${own}`, null)).toBeNull()
})

test('an unknown, a malformed and a foreign subject or event finds nothing', async () => {
  const theirs = await createWorkspace(server)
  const foreign = (await submit(server, await makeLiveSurvey(server, theirs), { answers: { q1: 3 } })).id
  const none = { data: [], next_cursor: null, counts: { pending: 0, delivered: 0, failed: 0, dead_lettered: 0 } }
  for (const query of [
    `subject_id=${foreign}`,
    'subject_id=x',
    'subject_id=rsp_01jqe5v0k8e9r9d3z2m6h7t4xw',
    'event_id=x',
    'event_id=evt_01jqe5v0k8e9r9d3z2m6h7t4xw',
  ])
    expect(await found(query), query).toEqual(none)
})

test('a response of an anonymous survey is no subject, and is not found', async () => {
  const anonymous = await makeLiveSurvey(server, workspace, { ...NPS_SURVEY, privacy: 'anonymous' })
  const ids = []
  for (let n = 0; n < 5; n++) ids.push(await answer(anonymous))
  server.clock.advance(86_400_000)
  const { email, password } = workspace
  const signedIn = await server.request('POST', '/public/sessions', { body: { email, password } })
  workspace = { ...workspace, token: signedIn.body.token }
  // Each delivery stays in the queue.
  receiver.answer((_request, response) => void response.writeHead(503).end())
  await runSweep(server, thresholdSweep)
  await settle()
  const { data } = await found(`survey_id=${anonymous}`)
  expect(data.length).toBeGreaterThan(4)
  for (const { subject } of data) expect(subject).toBeNull()
  await server.peek(`update webhook_queue set next_attempt_at = $1`, [
    new Date(server.clock.now().getTime() + 3_600_000),
  ])
  const waiting = await found(`survey_id=${anonymous}&sort=next_attempt_at&limit=1`)
  expect(waiting.data[0].next_attempt_at).toBe('2026-03-04T00:00:00.000Z')
  expect(Buffer.from(waiting.next_cursor, 'base64url').toString()).toContain('"2026-03-04 00:00:00+00"')
  for (const id of ids) expect((await found(`subject_id=${id}`)).data).toEqual([])
})
