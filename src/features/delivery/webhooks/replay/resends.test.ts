import { Webhook } from 'standardwebhooks'
import { beforeEach, expect, test } from 'vitest'
import { engine, receiver, server, settle, setUpDeliveries } from '../../../../testing/delivery-fixtures.ts'
import { createWorkspace, runSweep } from '../../../../testing/fixtures.ts'
import { publishSurvey, submit } from '../../../../testing/survey-fixtures.ts'

import { replaySweep, resendSweep } from '../webhooks.feature.ts'

setUpDeliveries()

let token: string
let surveyId: string
let webhook: { id: string; secret: string }
beforeEach(async () => {
  server.clock.advance(Date.now() - server.clock.now().getTime())
  ;({ token } = await createWorkspace(server))
  surveyId = await publishSurvey(server, token)
  webhook = (await call('POST', '/v1/webhooks', { url: receiver.url, events: ['response.completed'] })).body
})

const call = (method: string, path: string, body?: object) => server.request(method, path, { token, body })
const deliveries = async () => (await call('GET', '/v1/webhook-deliveries')).body.data
const respond = async () => {
  await submit(server, surveyId, { q1: 9 })
  await settle()
}
const answering = (status: number) => receiver.answer((_request, response) => void response.writeHead(status).end())
const eventIds = () => receiver.requests.map(({ body }) => JSON.parse(body).id)

test('a test event goes signed through the ledger, whatever the webhook takes', async () => {
  const sent = await call('POST', `/v1/webhooks/${webhook.id}/test`, { event: 'lead.created' })
  expect(sent, sent.text).toMatchObject({ status: 201, body: { test: true, event: 'lead.created', status: 'pending' } })
  await settle()
  const [request] = receiver.requests
  const event = new Webhook(webhook.secret).verify(request?.body ?? '', request?.headers as Record<string, string>)
  expect(event).toMatchObject({ type: 'lead.created', apiVersion: 'v1', data: expect.any(Object) })
  expect(await deliveries()).toMatchObject([{ id: sent.body.id, test: true, status: 'delivered' }])
  expect((await call('POST', `/v1/webhooks/${webhook.id}/test`)).body.event).toBe('response.completed')
  await respond()
  expect((await deliveries())[0]).toMatchObject({ test: false })
})

test('a mask that comes back keeps the header that it stands for, and is never a value', async () => {
  const headers = { Authorization: 'Bearer one', 'X-Team': 'cx' }
  const { body: hook } = await call('POST', '/v1/webhooks', { url: receiver.url, headers })
  const shown = (await call('GET', `/v1/webhooks/${hook.id}`)).body
  expect(shown.headers).toEqual({ Authorization: '************', 'X-Team': '************' })
  const patched = await call('PATCH', `/v1/webhooks/${hook.id}`, {
    description: 'Renamed',
    headers: { ...shown.headers, 'X-Team': 'support' },
  })
  expect(patched.status, patched.text).toBe(200)
  await call('PATCH', `/v1/webhooks/${hook.id}`, { headers: { authorization: '************' } })
  await call('POST', `/v1/webhooks/${hook.id}/test`)
  await settle()
  const sent = receiver.requests.at(-1)?.headers
  expect([sent?.['authorization'], sent?.['x-team']]).toEqual(['Bearer one', 'support'])
  for (const [method, path] of [
    ['POST', '/v1/webhooks'],
    ['PATCH', `/v1/webhooks/${hook.id}`],
  ] as const)
    expect(await call(method, path, { url: receiver.url, headers: { 'X-New': 'abcd************' } })).toMatchObject({
      status: 422,
      body: { issues: [{ path: 'headers.X-New' }] },
    })
})

test('a test of an unknown event is 422, and of a disabled webhook 409', async () => {
  expect(await call('POST', `/v1/webhooks/${webhook.id}/test`, { event: 'no.such' })).toMatchObject({ status: 422 })
  await call('PATCH', `/v1/webhooks/${webhook.id}`, { enabled: false })
  expect(await call('POST', `/v1/webhooks/${webhook.id}/test`)).toMatchObject({
    status: 409,
    body: { code: 'webhook_disabled' },
  })
  expect(await deliveries()).toEqual([])
})

test('a retry makes the next attempt of a failed delivery now, and only of one that waits', async () => {
  answering(500)
  await respond()
  const [failed] = await deliveries()
  expect(failed).toMatchObject({ status: 'failed', attempts: 1 })
  answering(200)
  const retried = await call('POST', `/v1/webhook-deliveries/${failed.id}/retry`)
  expect(retried).toMatchObject({ status: 200, body: { id: failed.id, next_attempt_at: expect.any(String) } })
  await settle()
  expect(await deliveries()).toMatchObject([{ id: failed.id, status: 'delivered', attempts: 2 }])
  expect(await call('POST', `/v1/webhook-deliveries/${failed.id}/retry`)).toMatchObject({
    status: 409,
    body: { code: 'not_waiting' },
  })
})

test('a dead letter and a delivery of a disabled webhook cannot be retried', async () => {
  answering(500)
  await respond()
  const [failed] = await deliveries()
  await call('PATCH', `/v1/webhooks/${webhook.id}`, { enabled: false })
  const retry = () => call('POST', `/v1/webhook-deliveries/${failed.id}/retry`)
  expect(await retry()).toMatchObject({ status: 409, body: { code: 'not_waiting' } })
  await call('PATCH', `/v1/webhooks/${webhook.id}`, { enabled: true })
  for (const minutes of [1, 10, 60, 180]) {
    server.clock.advance(minutes * 60_000)
    await engine.sweep()
    await engine.idle()
  }
  expect(await deliveries()).toMatchObject([{ dead_lettered: true }])
  expect(await retry()).toMatchObject({ status: 409 })
})

test('a resend is a new delivery of the same event, as often as it is asked for', async () => {
  await respond()
  const [first] = await deliveries()
  for (let n = 0; n < 2; n += 1) {
    const again = await call('POST', `/v1/webhook-deliveries/${first.id}/resend`)
    expect(again, again.text).toMatchObject({ status: 201, body: { event_id: first.event_id, status: 'pending' } })
    expect(again.body.id).not.toBe(first.id)
    await settle()
  }
  expect(eventIds()).toEqual([first.event_id, first.event_id, first.event_id])
  expect(await deliveries()).toHaveLength(3)
})

test('only a delivered event is resent, and only while its webhook stands', async () => {
  answering(500)
  await respond()
  const [failed] = await deliveries()
  const resend = (id: string) => call('POST', `/v1/webhook-deliveries/${id}/resend`)
  expect(await resend(failed.id)).toMatchObject({ status: 409, body: { code: 'not_delivered' } })
  answering(200)
  await respond()
  const [delivered] = await deliveries()
  await call('DELETE', `/v1/webhooks/${webhook.id}`)
  expect(await resend(delivered.id)).toMatchObject({ status: 409, body: { code: 'webhook_deleted' } })
})

test('a dry run of a bulk replay counts, and queues nothing', async () => {
  await respond()
  await server.peek(`update webhook_deliveries set status = 'failed', dead_lettered = true`)
  server.clock.advance(1_000)
  const replay = (body: object) => call('POST', '/v1/webhook-deliveries/replay', body)
  expect(await replay({ dry_run: true })).toMatchObject({ status: 202, body: { queued: 1, dry_run: true } })
  expect(await server.peek('select 1 from webhook_jobs')).toEqual([])
  expect((await call('GET', '/v1/audit?action=delivery.replay_many')).body.data).toEqual([])
  expect(await replay({})).toMatchObject({ status: 202, body: { queued: 1 } })
  expect(await server.peek('select 1 from webhook_jobs')).toHaveLength(1)
})

test('what is replayed to a disabled webhook is said to wait, is found as waiting, and goes out once it is enabled', async () => {
  answering(500)
  await respond()
  await server.peek(`delete from webhook_queue`)
  await server.peek(`update webhook_deliveries set status = 'failed', dead_lettered = true, attempts = 5`)
  server.clock.advance(1_000)
  const replay = (body: object) => call('POST', '/v1/webhook-deliveries/replay', body)
  expect((await replay({ dry_run: true })).body).toEqual({ queued: 1, disabled: [], dry_run: true })
  await call('PATCH', `/v1/webhooks/${webhook.id}`, { enabled: false })
  const disabled = [{ webhook_id: webhook.id, queued: 1 }]
  expect((await replay({ dry_run: true })).body).toEqual({ queued: 1, disabled, dry_run: true })
  const found = async (value: boolean) =>
    (
      await call(
        'GET',
        `/v1/webhook-deliveries?count=true&filter=${encodeURIComponent(JSON.stringify({ all: [{ field: 'waiting', op: 'eq', value }] }))}`,
      )
    ).body
  expect((await found(true)).count.matching.n).toBe(0)
  expect((await found(false)).data).toMatchObject([{ dead_lettered: true, waiting: false }])
  expect((await replay({})).body).toEqual({ queued: 1, disabled })
  await runSweep(server, replaySweep)
  await settle()
  expect(await found(true)).toMatchObject({
    count: { matching: { n: 1 } },
    data: [{ status: 'pending', waiting: true, next_attempt_at: null }],
  })
  const [listed] = (await call('GET', '/v1/webhooks?include=health')).body.data
  expect(listed.health).toMatchObject({ state: 'disabled', waiting: 1, dead_lettered: 0 })
  answering(200)
  await call('PATCH', `/v1/webhooks/${webhook.id}`, { enabled: true })
  await settle()
  expect(await deliveries()).toMatchObject([{ status: 'delivered', waiting: false }])
  expect((await found(true)).data).toEqual([])
  await call('PATCH', `/v1/webhooks/${webhook.id}`, { enabled: false })
  const resend = { dry_run: true, webhook_id: webhook.id }
  expect((await call('POST', '/v1/webhook-deliveries/resend', resend)).body).toMatchObject({ queued: 1, disabled })
})

test('a bulk resend counts first, then sends each matching event once more, and no test', async () => {
  for (let n = 0; n < 3; n += 1) await respond()
  const first = eventIds()
  await call('POST', `/v1/webhooks/${webhook.id}/test`)
  await settle()
  await call('POST', `/v1/webhook-deliveries/${(await deliveries()).at(-1).id}/resend`)
  await settle()
  server.clock.advance(1_000)
  receiver.requests.length = 0
  const resend = (body: object) => call('POST', '/v1/webhook-deliveries/resend', body)
  const range = { webhook_id: webhook.id, survey_id: surveyId, event: 'response.completed' }
  expect(await resend({ ...range, dry_run: true })).toMatchObject({ status: 202, body: { queued: 3, dry_run: true } })
  const jobs = () => server.peek(`select 1 from webhook_jobs where resends`)
  expect(await jobs()).toEqual([])
  expect(await resend({ ...range, since: server.clock.now().toISOString() })).toMatchObject({ body: { queued: 0 } })

  expect(await resend(range)).toMatchObject({ status: 202, body: { queued: 3 } })
  for (let n = 0; n < 2; n += 1) await runSweep(server, resendSweep)
  await settle()
  expect(eventIds().sort()).toEqual(first.sort())
  expect(await jobs()).toEqual([])

  for (const [body, path] of [
    [{ webhook_id: 'wh_01jd8m1s3gd5q6r7s8t9v0w1x2' }, 'webhook_id'],
    [{ event: 'no.such' }, 'event'],
    [{ survey_id: 'srv_01jd8m2t4he6r7s8t9v0w1x2y3' }, 'survey_id'],
  ] as const)
    expect(await resend(body)).toMatchObject({ status: 422, body: { issues: [{ path }] } })
})
