import { Registry } from 'prom-client'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { lowestIdAt, newId, parseId, type Id, type TenantId } from '../../../../platform/ids.ts'
import {
  createMember,
  createWorkspace,
  runSweep,
  type TestWorkspace,
  sweepNamed,
} from '../../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../../testing/harness.ts'
import { makeLiveSurvey, NPS_SURVEY, submit } from '../../../../testing/makers.ts'
import { thresholdSweep } from '../../../answers/responses/responses.feature.ts'
import { createDeliveryEngine, type DeliveryEngine } from '../engine/delivery-engine.ts'
import { sign } from '../engine/signature.ts'
import { handOver } from './hand-over.service.ts'
import { expiredReceiversSweep } from '../webhooks.feature.ts'

const MINUTE_MS = 60_000
const BASE = 'https://feedback.example.com'

let server: TestServer
let engine: DeliveryEngine
beforeAll(async () => {
  server = await startTestServer({
    env: {
      ENVIRONMENT: 'production',
      SIGNUPS: 'open',
      PUBLIC_BASE_URL: BASE,
      DATABASE_URL: 'postgres://unused.example.com/earshot',
    },
  })
  const { run, log, settings } = server.services
  engine = createDeliveryEngine({ run, log, settings, clock: server.clock, metrics: new Registry() })
  await server.services.bus.listen({ 'webhook-deliveries': engine })
})
afterAll(async () => {
  await engine.stop()
  await server.services.bus.stop()
  await server.close()
})

let workspace: TestWorkspace
let surveyId: string
beforeEach(async () => {
  workspace = await createWorkspace(server)
  surveyId = await makeLiveSurvey(server, workspace)
})

const call = (method: string, path: string, body?: unknown, { token } = workspace) =>
  server.request(method, `/v1${path}`, { token, ...(body !== undefined && { body }) })
async function makeReceiver(body: object = {}) {
  const answer = await call('POST', '/test-receivers', body)
  expect(answer.status, answer.text).toBe(201)
  return answer.body as { id: string; url: string; expires_at: string }
}
async function makeWebhook(url: string, more: object = {}) {
  const answer = await call('POST', '/webhooks', { url, events: ['response.completed'], ...more })
  expect(answer.status, answer.text).toBe(201)
  return answer.body as { id: string; secret: string }
}
const requestsOf = async (id: string, query = '') => (await call('GET', `/test-receivers/${id}/requests${query}`)).body
const webhookOf = async (id: string) => (await call('GET', `/webhooks/${id}`)).body
async function answerSurvey(text: string) {
  await submit(server, surveyId, { answers: { q1: 9, q3: text } })
  await settle()
}
async function settle() {
  await new Promise((resume) => setImmediate(resume))
  await engine.idle()
}

test('a delivery is handed over signed and whole, beside its answer, where no address could be dialled', async () => {
  const receiver = await makeReceiver()
  expect(receiver).toMatchObject({ url: `${BASE}/public/test-receivers/${receiver.id}`, answer: 200 })
  const { secret } = await makeWebhook(receiver.url, { headers: { 'X-Key': 'top secret' } })
  await answerSurvey('Grüße an „Ada“')
  const { data } = await requestsOf(receiver.id)
  expect(data).toHaveLength(1)
  const [{ headers, body, ...request }] = data
  expect(request).toEqual({
    n: 1,
    at: server.clock.now().toISOString(),
    method: 'POST',
    delivery_id: headers['webhook-id'],
    attempt: 1,
    answered: 200,
    verified: { voc: true, standard: true },
  })
  expect(JSON.parse(body)).toMatchObject({ type: 'response.completed', data: { text: [{ value: 'Grüße an „Ada“' }] } })
  expect(headers['X-VOC-Signature']).toBe(sign(secret, Number(headers['X-VOC-Timestamp']), body))
  expect(JSON.stringify(headers)).not.toContain('top secret')
  const delivery = (await call('GET', `/webhook-deliveries/${request.delivery_id}`)).body
  expect(delivery).toMatchObject({ status: 'delivered', payload: body, attempt_log: [{ n: 1, status_code: 200 }] })
  const rows = await server.peek<{ row: string }>('select r::text as row from test_receiver_requests r')
  for (const { row } of rows) expect(row).not.toMatch(/Grüße|response\.completed/)
})

test('its answer decides the attempt, is retried like any other, and can be changed', async () => {
  const receiver = await makeReceiver({ answer: 503 })
  await makeWebhook(receiver.url)
  await answerSurvey('Hello')
  const { delivery_id: id } = (await requestsOf(receiver.id)).data[0]
  expect((await call('GET', `/webhook-deliveries/${id}`)).body).toMatchObject({ status: 'failed', attempts: 1 })
  expect((await call('PATCH', `/test-receivers/${receiver.id}`, { answer: 204 })).body).toMatchObject({ answer: 204 })
  server.clock.advance(MINUTE_MS)
  await engine.sweep()
  await settle()
  expect((await call('GET', `/webhook-deliveries/${id}`)).body).toMatchObject({ status: 'delivered', attempts: 2 })
  expect((await requestsOf(receiver.id)).data).toMatchObject([
    { n: 2, attempt: 2, answered: 204, delivery_id: id },
    { n: 1, attempt: 1, answered: 503, delivery_id: id },
  ])
})

test('a 410 disables the webhook, as from any endpoint', async () => {
  const receiver = await makeReceiver({ answer: 410 })
  const { id } = await makeWebhook(receiver.url)
  await answerSurvey('Hello')
  expect(await webhookOf(id)).toMatchObject({ enabled: false, disabled_reason: 'gone' })
})

test('the last 20 requests are kept, newest first, page by page', async () => {
  const receiver = await makeReceiver()
  await makeWebhook(receiver.url)
  for (let n = 0; n < 23; n++) await answerSurvey(`Text ${n}`)
  const all = (await requestsOf(receiver.id, '?limit=100')).data
  const numbers = all.map(({ n }: { n: number }) => n)
  expect(numbers).toEqual(Array.from({ length: 20 }, (_, n) => 23 - n))
  const first = await requestsOf(receiver.id, '?limit=15')
  const second = await requestsOf(receiver.id, `?limit=15&cursor=${first.next_cursor}`)
  expect([...first.data, ...second.data]).toEqual(all)
  expect(second.next_cursor).toBeNull()
})

test('the address of another workspace, of none, and of an ended receiver is refused like a blocked one', async () => {
  const receiver = await makeReceiver()
  const other = await createWorkspace(server)
  const unknown = receiver.url.slice(0, -1) + (receiver.url.endsWith('0') ? '1' : '0')
  const refused = async (url: string, as = workspace) => {
    const answer = await call('POST', '/webhooks', { url }, as)
    expect(answer, url).toMatchObject({ status: 422, body: { code: 'blocked_url' } })
    return answer.text.replace(/req_[\w-]+/, '')
  }
  const answers = [
    await refused(receiver.url, other),
    await refused(unknown),
    await refused(`${receiver.url}/x`),
    await refused(`${receiver.url}?x`),
    await refused(`${BASE}/public/test-receivers/`),
    await refused('https://127.0.0.1/'),
  ]
  expect((await call('DELETE', `/test-receivers/${receiver.id}`)).status).toBe(204)
  answers.push(await refused(receiver.url))
  expect(new Set(answers).size).toBe(1)
})

test('from outside, the address is the same 404 as an unknown address', async () => {
  const { url } = await makeReceiver()
  const path = new URL(url).pathname
  for (const method of ['GET', 'POST', 'PUT', 'OPTIONS', 'HEAD']) {
    const at = (place: string) =>
      server.request(method, place, { ...(method === 'POST' && { body: { a: 1 } }), headers: { accept: '*/*' } })
    const [real, none] = [await at(path), await at(`${path.slice(0, -4)}0000`)]
    expect(real.status).toBe(none.status)
    expect(real.text.replace(/req_[\w-]+/, '')).toBe(none.text.replace(/req_[\w-]+/, ''))
    if (method !== 'OPTIONS') expect(real.status).toBe(404)
  }
})

test('a workspace has 5 at a time, also when they are made at once', async () => {
  const made = await Promise.all(Array.from({ length: 8 }, () => call('POST', '/test-receivers')))
  expect(made.filter(({ status }) => status === 201)).toHaveLength(5)
  expect(made.find(({ status }) => status !== 201)).toMatchObject({ status: 409, body: { code: 'too_many_receivers' } })
  expect((await call('GET', '/test-receivers')).body.data).toHaveLength(5)
  server.clock.advance(60 * MINUTE_MS)
  expect((await call('GET', '/test-receivers')).body.data).toHaveLength(0)
  expect((await call('POST', '/test-receivers')).status).toBe(201)
})

test('after an hour its requests are gone, and its webhooks are disabled and wait, with their entry in the log', async () => {
  const receiver = await makeReceiver()
  const { id } = await makeWebhook(receiver.url)
  await answerSurvey('Hello')
  server.clock.advance(60 * MINUTE_MS)
  expect((await call('GET', `/test-receivers/${receiver.id}`)).status).toBe(404)
  expect((await call('GET', `/test-receivers/${receiver.id}/requests`)).status).toBe(404)
  expect(await runSweep(server, expiredReceiversSweep)).toBeGreaterThan(0)
  expect(await webhookOf(id)).toMatchObject({ enabled: false, disabled_reason: 'receiver_expired' })
  expect(
    await server.peek('select 1 from test_receiver_requests where tenant_id = $1', [
      parseId('workspace', workspace.workspaceId),
    ]),
  ).toEqual([])
  await answerSurvey('Later')
  const { data, counts } = (await call('GET', `/webhook-deliveries?webhook_id=${id}`)).body
  expect(counts.pending).toBe(1)
  expect(data[0].next_attempt_at).toBeNull()
  const audit = (await call('GET', '/audit?action=webhook.disable')).body.data
  expect(audit).toMatchObject([
    {
      actor: { type: 'system' },
      target: { id },
      changes: [
        { path: 'enabled', from: true, to: false },
        { path: 'disabled_reason', to: 'receiver_expired' },
      ],
    },
  ])
  expect(await call('PATCH', `/webhooks/${id}`, { enabled: true })).toMatchObject({
    status: 422,
    body: { code: 'blocked_url' },
  })
  const next = await makeReceiver()
  expect((await call('PATCH', `/webhooks/${id}`, { enabled: true, url: next.url })).status).toBe(200)
  await settle()
  expect((await requestsOf(next.id)).data).toHaveLength(1)
})

test('a delivery that is under way when its receiver ends gets 404', async () => {
  const receiver = await makeReceiver()
  const { id } = await makeWebhook(receiver.url)
  await server.peek('update test_receivers set expires_at = $1', [server.clock.now()])
  await answerSurvey('Hello')
  const { data } = (await call('GET', `/webhook-deliveries?webhook_id=${id}`)).body
  expect(data[0]).toMatchObject({ status: 'failed', last_status_code: 404 })
})

test('a legacy webhook without a secret is shown as not verified at all', async () => {
  const receiver = await makeReceiver()
  const { id } = await makeWebhook(receiver.url)
  await server.peek('update webhooks set secret = null where id = $1', [parseId('webhook', id)])
  await answerSurvey('Hello')
  const [request] = (await requestsOf(receiver.id)).data
  expect(request.verified).toBeNull()
  expect(Object.keys(request.headers).join()).not.toMatch(/signature/i)
})

test('an anonymous survey shows the day alone, and no signature', async () => {
  surveyId = await makeLiveSurvey(server, workspace, { ...NPS_SURVEY, privacy: 'anonymous' })
  for (let n = 0; n < 5; n++) await submit(server, surveyId, { answers: { q1: 9, q3: 'Hello' } })
  server.clock.advance(24 * 60 * MINUTE_MS)
  const { email, password } = workspace
  const signedIn = await server.request('POST', '/public/sessions', { body: { email, password } })
  workspace = { ...workspace, token: signedIn.body.token }
  const receiver = await makeReceiver()
  await makeWebhook(receiver.url)
  await runSweep(server, thresholdSweep)
  await settle()
  const { data } = await requestsOf(receiver.id)
  const { next_cursor: cursor } = (await call('GET', `/test-receivers/${receiver.id}/requests?limit=1`)).body
  const [, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
  expect(id.slice(0, 13)).toBe(lowestIdAt(new Date(data[0].at)).slice(0, 13))
  for (const request of data) {
    expect(request.at).toMatch(/T00:00:00\.000Z$/)
    expect(Object.keys(request.headers).join()).not.toMatch(/timestamp|signature/i)
  }
  expect(data.length).toBeGreaterThan(0)
})

test('a request whose event was erased on its way, or whose lease was lost, is answered and not kept', async () => {
  const receiver = await makeReceiver({ answer: 500 })
  await makeWebhook(receiver.url)
  await answerSurvey('Hello')
  const [{ delivery_id: id }] = (await requestsOf(receiver.id)).data
  const leaseToken = newId('delivery')
  const delivery = { id: parseId('delivery', id) as Id<'delivery'>, leaseToken }
  const tenantId = parseId('workspace', workspace.workspaceId) as TenantId
  const receiverId = parseId('testReceiver', receiver.id) as Id<'testReceiver'>
  const hand = () =>
    server.services.run((system) =>
      handOver(system.tenant(tenantId, { type: 'system' }), receiverId, {
        delivery,
        headers: {},
        body: 'Hello again',
        verified: null,
      }),
    )
  const lease = (superseded: boolean) =>
    server.peek('update webhook_queue set lease_token = $1, superseded = $2', [leaseToken, superseded])
  expect((await hand()).status).toBe(500)
  await lease(true)
  expect((await hand()).status).toBe(500)
  expect((await requestsOf(receiver.id)).data).toHaveLength(1)
  await lease(false)
  expect((await hand()).status).toBe(500)
  expect((await requestsOf(receiver.id)).data).toMatchObject([{ n: 4, body: 'Hello again' }, { n: 1 }])
})

test('only holders of integrations.manage see receivers', async () => {
  const { id } = await makeReceiver()
  const viewer = await createMember(server, workspace.token, 'viewer')
  for (const path of ['/test-receivers', `/test-receivers/${id}`, `/test-receivers/${id}/requests`])
    expect((await server.request('GET', `/v1${path}`, { token: viewer.token })).status).toBe(403)
})

test('an erasure removes what receivers hold of a person, also what only names them, and nothing else', async () => {
  const receiver = await makeReceiver()
  await makeWebhook(receiver.url)
  await answerSurvey('I am ada.planted@example.com')
  await answerSurvey('Ask Ada, ada [dot] planted [at] example.com')
  await answerSurvey('I am ada.planter@example.com')
  const body = { kind: 'erasure', subject: { email: 'ada.planted@example.com' } }
  const dry = (await call('POST', '/gdpr/requests', { ...body, dry_run: true })).body
  const { id } = (await call('POST', '/gdpr/requests', body)).body
  const requests = sweepNamed('data-protection.requests')
  for (let turn = 0; turn < 5; turn++) {
    await runSweep(server, requests)
    server.clock.advance(10_000)
  }
  const done = (await call('GET', `/gdpr/requests/${id}`)).body
  expect(done, JSON.stringify([dry, done])).toMatchObject({ status: 'completed', counts: { deliveries: 2 } })
  expect((await requestsOf(receiver.id)).data).toMatchObject([{ n: 3 }])
})
