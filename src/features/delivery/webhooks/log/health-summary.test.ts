import { Registry } from 'prom-client'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { parseId } from '../../../../platform/ids.ts'
import { createMember, createWorkspace, type TestWorkspace } from '../../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../../testing/harness.ts'
import { makeLiveSurvey, submit } from '../../../../testing/makers.ts'
import { startReceiver, type Receiver } from '../../../../testing/receiver.ts'
import { createDeliveryEngine, type DeliveryEngine } from '../engine/delivery-engine.ts'

let server: TestServer
let engine: DeliveryEngine
let receiver: Receiver
beforeAll(async () => {
  server = await startTestServer()
  const { run, log, settings } = server.services
  engine = createDeliveryEngine({ run, log, settings, clock: server.clock, metrics: new Registry() })
  await server.services.bus.listen({ 'webhook-deliveries': engine })
  receiver = await startReceiver()
})
afterAll(async () => {
  await engine.stop()
  await server.services.bus.stop()
  await server.close()
  await receiver.close()
})

let workspace: TestWorkspace
let surveyId: string
let status: number
beforeEach(async () => {
  workspace = await createWorkspace(server)
  surveyId = await makeLiveSurvey(server, workspace)
  status = 200
  receiver.answer((_request, response) => void response.writeHead(status).end())
})

const call = (method: string, path: string, body?: unknown, token = workspace.token) =>
  server.request(method, `/v1${path}`, { token, ...(body !== undefined && { body }) })
const makeWebhook = async (body: object = {}) =>
  (await call('POST', '/webhooks', { url: receiver.url, events: ['response.completed'], ...body })).body.id as string
async function answer() {
  const { id } = await submit(server, surveyId, { answers: { q1: 9 } })
  await new Promise((resume) => setImmediate(resume))
  await engine.idle()
  return id
}
const healthOf = async (id: string, token?: string) =>
  (await call('GET', '/webhooks?include=health', undefined, token)).body.data.find(
    (webhook: { id: string }) => webhook.id === id,
  ).health

test('a list shows no health unless it is asked for, and refuses to include anything else', async () => {
  const id = await makeWebhook()
  expect((await call('GET', '/webhooks')).body.data[0]).not.toHaveProperty('health')
  expect((await call('GET', '/webhooks?include=secrets')).status).toBe(400)
  expect(await healthOf(id)).toMatchObject({ state: 'new', attempts: 0, success_rate: null, last_failure: null })
})

test('the health says how attempts went, what waits, and since when a webhook fails', async () => {
  const id = await makeWebhook()
  const other = await makeWebhook({ survey_ids: [await makeLiveSurvey(server, workspace)] })
  await answer()
  server.clock.advance(7 * 3_600_000)
  status = 503
  const failedAt = server.clock.now().toISOString()
  await answer()
  server.clock.advance(1_000)
  await answer()
  const health = await healthOf(id)
  expect(health).toMatchObject({
    state: 'failing',
    attempts: 3,
    success_rate: 33.33,
    waiting: 2,
    dead_lettered: 0,
    failing_since: failedAt,
    last_failure: { at: server.clock.now().toISOString(), status_code: 503, error: expect.stringContaining('503') },
  })
  expect(health.by_6h).toHaveLength(28)
  expect(health.by_6h.filter(({ attempts }: { attempts: number }) => attempts > 0)).toMatchObject([
    { attempts: 1, failed: 0 },
    { attempts: 2, failed: 2 },
  ])
  expect(JSON.stringify(health).length).toBeLessThan(2_048)
  const single = (await call('GET', `/webhooks/${id}/health`)).body
  expect([single.attempts, single.success_rate, single.p95_latency_ms]).toEqual([
    health.attempts,
    health.success_rate,
    health.p95_latency_ms,
  ])
  expect(await healthOf(other)).toMatchObject({ state: 'new', attempts: 0, waiting: 0 })
  await server.peek(`update webhook_deliveries set dead_lettered = true where status = 'failed'`)
  expect((await healthOf(id)).dead_lettered).toBe(2)
  await call('PATCH', `/webhooks/${id}`, { enabled: false })
  expect((await healthOf(id)).state).toBe('disabled')
})

test('the list and the page of a webhook count the same hours', async () => {
  const id = await makeWebhook()
  const quarter = 6 * 3_600_000
  const now = server.clock.now().getTime()
  server.clock.advance(quarter - (now % quarter) + 60_000)
  const hoursAgo = (hours: number) => new Date(server.clock.now().getTime() - 60_000 - hours * 3_600_000)
  for (const [hours, succeeded] of [
    [168, false],
    [167, true],
    [164, false],
    [1, true],
  ] as const)
    await server.peek(
      `insert into webhook_health (tenant_id, webhook_id, hour, succeeded, latency_class, attempts)
       select tenant_id, id, $1, $2, 40, 3 from webhooks order by created_at desc limit 1`,
      [hoursAgo(hours), succeeded],
    )
  const [listed, page] = [await healthOf(id), (await call('GET', `/webhooks/${id}/health`)).body]
  expect(listed).toMatchObject({ attempts: 9, success_rate: 66.67, p95_latency_ms: page.p95_latency_ms })
  expect(page).toMatchObject({ attempts: 9, success_rate: 66.67 })
  expect(listed.by_6h.reduce((sum: number, { attempts }: { attempts: number }) => sum + attempts, 0)).toBe(9)
})

test('without integrations.manage the health shows nothing of deliveries', async () => {
  const id = await makeWebhook()
  status = 500
  await answer()
  const { token } = await createMember(server, workspace.token, 'viewer')
  expect(await healthOf(id, token)).toMatchObject({
    state: 'failing',
    attempts: 1,
    waiting: null,
    dead_lettered: null,
    last_failure: null,
  })
})

test('the log of an attempt has the address and the headers as sent, without the values of one’s own', async () => {
  await makeWebhook({ headers: { Authorization: 'Bearer top-secret' } })
  await answer()
  const [row] = (await call('GET', '/webhook-deliveries')).body.data
  const sent = receiver.requests.at(-1)?.headers ?? {}
  const { attempt_log } = (await call('GET', `/webhook-deliveries/${row.id}`)).body
  const [{ url, request_headers: shown, signature }] = attempt_log
  expect(url).toBe(new URL(receiver.url).toString())
  for (const [name, value] of Object.entries<string>(shown))
    if (name !== 'Authorization') expect(sent[name.toLowerCase()]).toBe(value)
  expect(shown['X-VOC-Signature']).toBe(signature)
  expect(Object.keys(shown)).toEqual(expect.arrayContaining(['User-Agent', 'webhook-id', 'webhook-signature']))
  expect(JSON.stringify(attempt_log)).not.toContain('top-secret')
  const stored = await server.peek<{ row: string }>('select a::text as row from webhook_attempts a')
  expect(stored.some(({ row: text }) => text.includes('top-secret'))).toBe(false)
})

test('the log of a delivery has its latest 100 attempts', async () => {
  await makeWebhook()
  await answer()
  const [row] = (await call('GET', '/webhook-deliveries')).body.data
  await server.peek(
    `insert into webhook_attempts (tenant_id, delivery_id, n, at, body_sha256, omitted)
     select tenant_id, delivery_id, n + added, at, '', '{}' from webhook_attempts, generate_series(1, 150) as added
     where tenant_id = $1`,
    [parseId('workspace', workspace.workspaceId)],
  )
  const { attempt_log } = (await call('GET', `/webhook-deliveries/${row.id}`)).body
  const numbers = attempt_log.map(({ n }: { n: number }) => n)
  expect(numbers).toEqual(Array.from({ length: 100 }, (_, at) => 52 + at))
})

test('explain says for each webhook, disabled ones too, whether a response reached it and why not', async () => {
  const delivered = await makeWebhook()
  const elsewhere = await makeWebhook({ survey_ids: [await makeLiveSurvey(server, workspace)] })
  const off = await makeWebhook()
  await call('PATCH', `/webhooks/${off}`, { enabled: false })
  const id = await answer()
  const late = await makeWebhook()
  const explained = async () => (await call('GET', `/responses/${id}/explain`)).body
  const { response_id, webhooks } = await explained()
  expect(response_id).toBe(id)
  expect(webhooks.map((each: Record<string, string>) => [each['webhook_id'], each['outcome']])).toEqual([
    [late, 'not_sent'],
    [off, 'waiting'],
    [elsewhere, 'not_sent'],
    [delivered, 'delivered'],
  ])
  for (const { outcome: _, url, ...each } of webhooks) {
    expect(url).toBe(new URL(receiver.url).toString())
    const one = (await call('GET', `/webhooks/${each.webhook_id}/explain?response_id=${id}`)).body
    expect({ response_id: id, ...each }).toEqual(one)
  }
  await server.peek('delete from webhook_queue')
  await server.peek(`update webhook_deliveries set status = 'failed', dead_lettered = true where status = 'pending'`)
  expect((await explained()).webhooks[1].outcome).toBe('dead_lettered')
})

test('a delivery is no edit: the tag of the webhook stays', async () => {
  const id = await makeWebhook()
  const read = () => call('GET', `/webhooks/${id}`)
  const before = await read()
  await answer()
  status = 500
  await answer()
  const after = await read()
  expect([before.body.last_delivered_at, before.body.last_failed_at]).toEqual([null, null])
  expect(after.body.last_delivered_at).not.toBeNull()
  expect(after.body.last_failed_at).not.toBeNull()
  expect(after.headers.get('etag')).toBe(before.headers.get('etag'))
})
