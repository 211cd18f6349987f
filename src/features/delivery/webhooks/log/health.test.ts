import { beforeEach, expect, test } from 'vitest'
import { engine, receiver, server, settle, setUpDeliveries } from '../../../../testing/delivery-fixtures.ts'
import { createMember, createWorkspace } from '../../../../testing/fixtures.ts'
import { publishSurvey, submit } from '../../../../testing/survey-fixtures.ts'
import { parseId } from '../../../../platform/ids.ts'
import { latencyClassOf, latencyOf, percentile } from '../staging/latency-class.ts'

setUpDeliveries()

let token: string
let surveyId: string
let webhookId: string
beforeEach(async () => {
  ;({ token } = await createWorkspace(server))
  surveyId = await publishSurvey(server, token)
  webhookId = (await call('POST', '/v1/webhooks', { url: receiver.url })).body.id
})

const call = (method: string, path: string, body?: object) => server.request(method, path, { token, body })
const health = async () => (await call('GET', `/v1/webhooks/${webhookId}/health`)).body
const answering = (status: number, headers: Record<string, string | string[]> = {}) =>
  receiver.answer((_request, response) => void response.writeHead(status, headers).end('ok'))
const respond = async () => {
  await submit(server, surveyId, { q1: 9 })
  await settle()
}

test('health counts every attempt by hour, and no test', async () => {
  expect(await health()).toMatchObject({ attempts: 0, success_rate: null, p50_latency_ms: null, last_failures: [] })
  for (let n = 0; n < 3; n += 1) await respond()
  await call('POST', `/v1/webhooks/${webhookId}/test`)
  await settle()
  server.clock.advance(3_600_000)
  answering(500)
  await respond()
  await call('POST', `/v1/webhooks/${webhookId}/test`)
  await settle()

  const { last_failures, by_hour, ...figures } = await health()
  expect(figures).toMatchObject({ webhook_id: webhookId, attempts: 4, succeeded: 3, failed: 1, success_rate: 75 })
  expect([figures.p50_latency_ms, figures.p95_latency_ms]).toEqual([expect.any(Number), expect.any(Number)])
  expect(last_failures).toMatchObject([{ status: 'failed', last_status_code: 500, attempts: 1, test: false }])
  const viewer = await createMember(server, token, 'viewer')
  const seen = await server.request('GET', `/v1/webhooks/${webhookId}/health`, { token: viewer.token })
  expect(seen.body).toMatchObject({ attempts: 4, last_failures: [] })
  expect(by_hour).toHaveLength(168)
  expect(by_hour[0]).toMatchObject({ hour: figures.since, attempts: 0, success_rate: null })
  expect(by_hour.slice(-2)).toMatchObject([
    { attempts: 3, success_rate: 100 },
    { attempts: 1, success_rate: 0, failed: 1 },
  ])

  answering(200)
  server.clock.advance(60_000)
  await engine.sweep()
  await settle()
  expect(await health()).toMatchObject({ attempts: 5, succeeded: 4, last_failures: [] })
  await server.peek(`update webhook_health set hour = hour - interval '8 days'`)
  expect(await health()).toMatchObject({ attempts: 0, success_rate: null })
})

test('hours older than eight days are forgotten when a new one begins', async () => {
  await respond()
  const counted = () =>
    server.peek('select sum(attempts)::int as n from webhook_health where webhook_id = $1', [
      parseId('webhook', webhookId),
    ])
  await server.peek(`update webhook_health set hour = hour - interval '9 days'`)
  expect(await counted()).toEqual([{ n: 1 }])
  await respond()
  expect(await counted()).toEqual([{ n: 2 }])
  server.clock.advance(3_600_000)
  await respond()
  expect(await counted()).toEqual([{ n: 2 }])
})

test('the log keeps the address and the headers of an answer, and masks what may be private', async () => {
  answering(500, {
    'content-type': 'text/plain; charset=utf-8',
    'set-cookie': ['sid=a1b2', 'b=c'],
    'X-Request-Id': 'f3a9-77',
    'X-Api-Token': 'hunter2',
    authorization: 'Bearer x',
    'x-user': 'Ada Lovelace',
    'x-mail': 'ada@example.com',
    'x-phone': '4930901820',
  })
  await respond()
  const [delivery] = (await call('GET', '/v1/webhook-deliveries')).body.data
  const [attempt] = (await call('GET', `/v1/webhook-deliveries/${delivery.id}`)).body.attempt_log
  expect(attempt).toMatchObject({ status_code: 500, address: '127.0.0.1' })
  expect(attempt.response_headers).toMatchObject({
    'content-type': 'text/plain; charset=utf-8',
    'set-cookie': '***',
    'x-request-id': 'f3a9-77',
    'x-api-token': '***',
    authorization: '***',
    'x-user': '***',
    'x-mail': '***',
    'x-phone': '***',
  })
  expect(JSON.stringify(await server.peek('select response_headers from webhook_attempts'))).not.toMatch(
    /a1b2|Ada|hunter/,
  )
})

test('an attempt that nobody answered has an address and no headers', async () => {
  await receiver.close()
  await respond()
  const [delivery] = (await call('GET', '/v1/webhook-deliveries')).body.data
  const [attempt] = (await call('GET', `/v1/webhook-deliveries/${delivery.id}`)).body.attempt_log
  expect(attempt).toMatchObject({ status_code: null, response_headers: null, address: '127.0.0.1' })
})

test('a percentile is at most 5 % off, from a millisecond to the deadline', () => {
  for (const ms of [0, 1, 7, 16, 17, 40, 99, 250, 1_000, 4_999, 15_000]) {
    expect(Math.abs(latencyOf(latencyClassOf(ms)) - ms), String(ms)).toBeLessThanOrEqual(Math.max(0.5, ms * 0.051))
  }
  const counts = [
    [latencyClassOf(10), 94],
    [latencyClassOf(2_000), 6],
    [-1, 1_000],
  ] as const
  expect(percentile(counts, 0.5)).toBe(10)
  expect(percentile(counts, 0.95)).toBeGreaterThan(1_900)
  expect(percentile([[-1, 5]], 0.5)).toBeNull()
})
