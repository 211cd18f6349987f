import { Registry } from 'prom-client'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createApiKey, createWorkspace, runSweep, type TestWorkspace } from '../../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../../testing/harness.ts'
import { makeLiveSurvey, submit } from '../../../../testing/makers.ts'
import { startReceiver, type Receiver } from '../../../../testing/receiver.ts'
import { createDeliveryEngine } from '../engine/delivery-engine.ts'
import { replaySweep } from '../webhooks.feature.ts'
import { removeSettledDeliveries } from './retention.service.ts'
import { parseId, type Id, type TenantId } from '../../../../platform/ids.ts'

let server: TestServer
let receiver: Receiver
let workspace: TestWorkspace
beforeAll(async () => {
  server = await startTestServer()
  receiver = await startReceiver()
})
afterAll(async () => {
  await receiver.close()
  await server.close()
})
beforeEach(async () => {
  receiver.requests.length = 0
  receiver.answer((_request, response) => void response.writeHead(200).end('ok'))
  workspace = await createWorkspace(server)
})

const call = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
  server.request(method, path, { token: workspace.token, body, ...(headers && { headers }) })
const register = (over: object = {}) => call('POST', '/v1/webhooks', { url: receiver.url, ...over })

async function deliver(): Promise<void> {
  const { run, log, settings, clock } = server.services
  const engine = createDeliveryEngine({ run, log, settings, clock, metrics: new Registry() })
  await engine.sweep()
  await engine.idle()
  await engine.stop()
}

test('the ledger is filtered by status, webhook, event, survey and time, and its counts follow', async () => {
  const [first, second] = [await makeLiveSurvey(server, workspace), await makeLiveSurvey(server, workspace)]
  const good = (await register()).body.id
  const bad = (await register({ url: `${receiver.url}/bad`, survey_ids: [second] })).body.id
  receiver.answer((request, response) => void response.writeHead(request.path.endsWith('bad') ? 500 : 200).end())
  await submit(server, first, { answers: { q1: 9 } })
  await deliver()
  server.clock.advance(60_000)
  const later = server.clock.now().toISOString()
  await submit(server, second, { answers: { q1: 9 } })
  await deliver()
  const rows = async (query: string) =>
    (await call('GET', `/v1/webhook-deliveries?${query}`)).body.data.map(
      (row: { webhook_id: string; survey_id: string }) => [row.webhook_id, row.survey_id],
    )
  expect(await rows('')).toHaveLength(3)
  expect(await rows('status=failed')).toEqual([[bad, second]])
  expect(await rows('status=dead_lettered')).toEqual([])
  expect(await rows(`webhook_id=${bad}`)).toEqual([[bad, second]])
  expect(await rows(`survey_id=${first}`)).toEqual([[good, first]])
  expect(await rows('event=survey.sent')).toEqual([])
  expect(await rows('webhook_id=nonsense')).toEqual([])
  expect(await rows(`until=${later}`)).toEqual([[good, first]])
  expect(await rows(`since=${later}`)).toHaveLength(2)
  expect((await call('GET', '/v1/webhook-deliveries')).body.counts).toEqual({
    pending: 0,
    delivered: 2,
    failed: 1,
    dead_lettered: 0,
  })
})

test('a page of the ledger is stable while rows are added', async () => {
  const surveyId = await makeLiveSurvey(server, workspace)
  await register()
  for (let i = 0; i < 5; i++) await submit(server, surveyId, { answers: { q1: i } })
  const first = (await call('GET', '/v1/webhook-deliveries?limit=2')).body
  await submit(server, surveyId, { answers: { q1: 9 } })
  const second = (await call('GET', `/v1/webhook-deliveries?limit=2&cursor=${first.next_cursor}`)).body
  const third = (await call('GET', `/v1/webhook-deliveries?limit=2&cursor=${second.next_cursor}`)).body
  const ids = [first, second, third].flatMap((page) => page.data.map((row: { id: string }) => row.id))
  expect([new Set(ids).size, third.next_cursor]).toEqual([5, null])
})

test('many dead letters are replayed at once by filter, and only those', async () => {
  // A session would end in the hours that pass here.
  workspace = {
    ...workspace,
    token: (await createApiKey(server, workspace.token, ['integrations.manage', 'surveys.manage'])).key,
  }
  const surveyId = await makeLiveSurvey(server, workspace)
  const [a, b] = [(await register()).body.id, (await register({ url: `${receiver.url}/b` })).body.id]
  receiver.answer((_request, response) => void response.writeHead(500).end())
  for (let i = 0; i < 3; i++) await submit(server, surveyId, { answers: { q1: 9 } })
  for (let i = 0; i < 5; i++) {
    await deliver()
    server.clock.advance(3 * 3_600_000)
  }
  expect((await call('GET', '/v1/webhook-deliveries')).body.counts.dead_lettered).toBe(6)
  expect(
    await call('POST', '/v1/webhook-deliveries/replay', { webhook_id: 'wh_01jd8m1s3gd5q6r7s8t9v0w1x2' }),
  ).toMatchObject({ status: 422 })
  expect(await call('POST', '/v1/webhook-deliveries/replay', { webhook_id: a })).toMatchObject({
    status: 202,
    body: { queued: 3 },
  })
  receiver.answer((_request, response) => void response.writeHead(200).end())
  await runSweep(server, replaySweep)
  await deliver()
  expect((await call('GET', `/v1/webhook-deliveries?webhook_id=${a}`)).body.counts).toMatchObject({
    delivered: 3,
    dead_lettered: 0,
  })
  expect((await call('GET', `/v1/webhook-deliveries?webhook_id=${b}`)).body.counts).toMatchObject({
    delivered: 0,
    dead_lettered: 3,
  })
  await call('DELETE', `/v1/webhooks/${b}`)
  const [dead] = (await call('GET', `/v1/webhook-deliveries?webhook_id=${b}`)).body.data
  expect(await call('POST', `/v1/webhook-deliveries/${dead.id}/replay`)).toMatchObject({
    status: 409,
    body: { code: 'webhook_deleted' },
  })
  expect((await call('POST', '/v1/webhook-deliveries/replay', {})).body).toEqual({ queued: 0, disabled: [] })
})

test('deleting a webhook leaves failed rows that are no dead letters, counted and listed as failed, and not replayable', async () => {
  const surveyId = await makeLiveSurvey(server, workspace)
  const { id } = (await register()).body
  receiver.answer((_request, response) => void response.writeHead(500).end())
  await submit(server, surveyId, { answers: { q1: 9 } })
  await deliver()
  await submit(server, surveyId, { answers: { q1: 3 } })
  expect((await call('DELETE', `/v1/webhooks/${id}`)).status).toBe(204)

  const ledger = await call('GET', '/v1/webhook-deliveries?status=failed')
  expect(ledger.body.counts).toEqual({ pending: 0, delivered: 0, failed: 2, dead_lettered: 0 })
  expect(ledger.body.data).toHaveLength(2)
  for (const row of ledger.body.data) {
    expect(row).toMatchObject({
      status: 'failed',
      dead_lettered: false,
      next_attempt_at: null,
      last_error: 'webhook_deleted',
    })
    expect(await call('POST', `/v1/webhook-deliveries/${row.id}/replay`)).toMatchObject({
      status: 409,
      body: { code: 'webhook_deleted' },
    })
  }
  expect((await call('GET', '/v1/webhook-deliveries?status=dead_lettered')).body.data).toEqual([])
  expect((await call('GET', `/v1/webhook-deliveries?webhook_id=${id}&status=failed`)).body.data).toHaveLength(2)
  expect((await call('GET', '/v1/webhook-deliveries?status=pending')).body.data).toEqual([])
  expect((await call('POST', '/v1/webhook-deliveries/replay', {})).body).toEqual({ queued: 0, disabled: [] })
  await deliver()
  server.clock.advance(3 * 3_600_000)
  await deliver()
  expect(receiver.requests).toHaveLength(1)

  const events = await server.peek<{ id: Id<'event'> }>(
    'select distinct event_id as id from webhook_deliveries where webhook_id = $1',
    [parseId('webhook', id)],
  )
  const tenantId = parseId('workspace', workspace.workspaceId) as TenantId
  const later = new Date(server.clock.now().getTime() + 1)
  await server.services.run((system) =>
    system.tenant(tenantId, { type: 'system' }).tx(async (tx) => {
      const ids = events.map((event) => event.id)
      await removeSettledDeliveries(tx, ids, later)
    }),
  )
  expect(await server.peek('select 1 from webhook_deliveries where webhook_id = $1', [parseId('webhook', id)])).toEqual(
    [],
  )
})
