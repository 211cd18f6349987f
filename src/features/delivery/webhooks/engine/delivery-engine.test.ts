import type { ServerResponse } from 'node:http'
import { Registry } from 'prom-client'
import { describe, expect, test } from 'vitest'
import {
  asTenant,
  engine,
  ledger,
  newEngine,
  only,
  receiver,
  register,
  server,
  settle,
  setUpDeliveries,
  stage,
  tenantId,
  useEngine,
} from '../../../../testing/delivery-fixtures.ts'
import { stageEvent } from '../../events/events.service.ts'
import { getDelivery } from '../log/deliveries.service.ts'
import { replayDelivery } from '../replay/replays.service.ts'
import { deleteWebhook, getWebhook, updateWebhook } from '../registration/webhooks.service.ts'
import { createDeliveryEngine } from './delivery-engine.ts'

setUpDeliveries()

describe('a dispatch', () => {
  test('delivers what it staged at once', async () => {
    await register()
    expect(await stage()).toEqual({ enqueued: 1 })
    await settle()
    expect(receiver.requests).toHaveLength(1)
    expect(await only()).toMatchObject({
      status: 'delivered',
      attempts: 1,
      last_status_code: 200,
      next_attempt_at: null,
    })
  })

  test('attempts only its own rows while another endpoint’s backlog waits', async () => {
    const slow = await register({ url: `${receiver.url}/backlog`, events: ['survey.sent'] })
    await server.peek(
      `with backlog as (
         insert into webhook_deliveries (tenant_id, id, webhook_id, event_id, event, status, created_at)
         select $1, gen_random_uuid(), w.id, gen_random_uuid(), 'survey.sent', 'pending', $2 from webhooks w, generate_series(1, 5) where w.tenant_id = $1
         returning *)
       insert into webhook_queue (tenant_id, delivery_id, webhook_id, event_id, next_attempt_at, created_at)
       select tenant_id, id, webhook_id, event_id, $2, $2 from backlog`,
      [tenantId, server.clock.now()],
    )
    await register({ events: ['response.completed'] })
    await stage()
    await settle()
    expect(receiver.requests.map((request) => request.path)).toEqual(['/hooks'])
    expect((await ledger({ webhook_id: slow.id })).counts.pending).toBe(5)
  })

  test('leaves no row when its transaction rolls back', async () => {
    await register()
    const failing = asTenant((scope) =>
      scope.tx(async (tx) => {
        await stageEvent(scope, tx, { type: 'response.completed', surveyId: null, source: 'rolled-back', data: {} })
        throw new Error('the cause failed')
      }),
    )
    await expect(failing).rejects.toThrow('the cause failed')
    await settle()
    expect((await ledger()).data).toEqual([])
    expect(await server.peek('select 1 from events where tenant_id = $1', [tenantId])).toEqual([])
    expect(receiver.requests).toEqual([])
  })

  test('of the same cause is written once', async () => {
    await register()
    expect(await stage({ source: 'same' })).toEqual({ enqueued: 1 })
    expect(await stage({ source: 'same' })).toEqual({ enqueued: 0 })
    await settle()
    expect(receiver.requests).toHaveLength(1)
  })
})

describe('a failure', () => {
  test('is retried on schedule with the same body, a fresh timestamp and a fresh signature, five times and never a sixth', async () => {
    await register()
    receiver.answer((_request, response) => void response.writeHead(500).end('no'))
    await stage()
    await settle()
    for (const seconds of [5, 300, 1800, 7200]) {
      const failed = await only()
      expect(failed).toMatchObject({ status: 'failed', dead_lettered: false, last_status_code: 500 })
      const wait = Date.parse(failed.next_attempt_at ?? '') - server.clock.now().getTime()
      expect(wait).toBeGreaterThanOrEqual(seconds * 800)
      expect(wait).toBeLessThanOrEqual(seconds * 1200)
      server.clock.advance(wait - 1)
      await engine.sweep()
      await engine.idle()
      expect(receiver.requests).toHaveLength(failed.attempts)
      server.clock.advance(1)
      await engine.sweep()
      await engine.idle()
    }
    expect(await only()).toMatchObject({ status: 'failed', dead_lettered: true, attempts: 5, next_attempt_at: null })
    server.clock.advance(30 * 86_400_000)
    await engine.sweep()
    await engine.idle()
    expect(receiver.requests).toHaveLength(5)
    expect(new Set(receiver.requests.map((request) => request.body)).size).toBe(1)
    expect(new Set(receiver.requests.map((request) => request.headers['webhook-id'])).size).toBe(1)
    expect(new Set(receiver.requests.map((request) => request.headers['x-voc-timestamp'])).size).toBe(5)
    expect(new Set(receiver.requests.map((request) => request.headers['x-voc-signature'])).size).toBe(5)
  })

  test('that was dead-lettered is sent again only when replayed, under the same id, with its history', async () => {
    await register()
    receiver.answer((_request, response) => void response.writeHead(503).end())
    await stage()
    await settle()
    for (let i = 0; i < 4; i++) {
      server.clock.advance(3 * 3_600_000)
      await engine.sweep()
      await engine.idle()
    }
    const dead = await only()
    expect(dead.dead_lettered).toBe(true)
    receiver.answer((_request, response) => void response.writeHead(200).end())
    const { deliveryId } = {
      deliveryId: (
        await server.peek<{ id: string }>('select id from webhook_deliveries where tenant_id = $1', [tenantId])
      )[0]?.id as never,
    }
    const replayed = await asTenant((scope) => replayDelivery(scope, deliveryId))
    expect(replayed).toMatchObject({ id: dead.id, status: 'pending', attempts: 0, dead_lettered: false })
    await settle()
    const detail = await asTenant((scope) => getDelivery(scope, deliveryId))
    expect(detail).toMatchObject({ status: 'delivered', attempts: 1, payload_changed: false })
    expect(detail.attempt_log.map((entry) => [entry.n, entry.status_code])).toEqual([
      [1, 503],
      [2, 503],
      [3, 503],
      [4, 503],
      [5, 503],
      [6, 200],
    ])
    await expect(asTenant((scope) => replayDelivery(scope, deliveryId))).rejects.toMatchObject({
      code: 'not_dead_lettered',
    })
  })

  test('with 410 also disables the webhook, and tells the others', async () => {
    const gone = await register({ url: `${receiver.url}/gone` })
    await register({ events: ['webhook.disabled'] })
    receiver.answer((request, response) => void response.writeHead(request.path === '/hooks/gone' ? 410 : 200).end())
    await stage()
    await settle()
    await settle()
    const [row] = await server.peek<{ enabled: boolean; disabled_reason: string }>(
      'select enabled, disabled_reason from webhooks where url like $1 and tenant_id = $2',
      ['%/gone', tenantId],
    )
    expect(row).toEqual({ enabled: false, disabled_reason: 'gone' })
    const told = receiver.requests.filter((request) => request.path === '/hooks')
    expect(told.map((request) => JSON.parse(request.body))).toMatchObject([
      { type: 'webhook.disabled', data: { webhookId: gone.id, reason: 'gone' } },
    ])
    expect((await ledger({ webhook_id: gone.id, event: 'webhook.disabled' })).data).toEqual([])
  })

  test('for five days on end disables the webhook; one success in between does not', async () => {
    await register()
    let status = 500
    receiver.answer((_request, response) => void response.writeHead(status).end())
    for (const [day, answer] of [
      [0, 500],
      [3, 200],
      [4, 500],
      [8, 500],
      [9, 500],
    ] as const) {
      status = answer
      await stage()
      await settle()
      const [row] = await server.peek<{ enabled: boolean }>('select enabled from webhooks where tenant_id = $1', [
        tenantId,
      ])
      expect([day, row?.enabled]).toEqual([day, day < 9])
      server.clock.advance(86_400_000 * (day === 0 ? 3 : day === 4 ? 4 : 1))
    }
  })
})

test('a retry that is due before the next sweep brings it forward', async () => {
  const { run, log, settings } = server.services
  const webhooks = { ...settings.webhooks, retrySeconds: [0, 0, 0, 0], sweepSeconds: 3_600 }
  await engine.stop()
  useEngine(
    createDeliveryEngine({
      run: (work) =>
        run((system) =>
          work({
            ...system,
            settings: { ...settings, webhooks },
            tenant: (id, principal) => ({ ...system.tenant(id, principal), settings: { ...settings, webhooks } }),
          }),
        ),
      log,
      settings: { ...settings, webhooks },
      clock: server.clock,
      metrics: new Registry(),
    }),
  )
  await register()
  receiver.answer((_request, response) => void response.writeHead(500).end())
  await stage()
  await expect.poll(async () => (await only()).dead_lettered, { timeout: 5_000 }).toBe(true)
  expect(receiver.requests).toHaveLength(5)
})

test('a wake finds its rows although the worker’s clock is behind the API’s', async () => {
  await register()
  server.clock.advance(1_000)
  const { run, log, settings } = server.services
  await engine.stop()
  const behind = { now: () => new Date(server.clock.now().getTime() - 500) }
  useEngine(
    createDeliveryEngine({
      run: (work) =>
        run((system) =>
          work({
            ...system,
            clock: behind,
            tenant: (id, principal) => ({ ...system.tenant(id, principal), clock: behind }),
          }),
        ),
      log,
      settings,
      clock: behind,
      metrics: new Registry(),
    }),
  )
  await stage()
  await settle()
  expect(receiver.requests).toHaveLength(1)
})

describe('a disabled webhook', () => {
  test('collects rows that wait without a next attempt, and delivers them once enabled', async () => {
    await register()
    const id = (await server.peek<{ id: string }>('select id from webhooks where tenant_id = $1', [tenantId]))[0]
      ?.id as never
    await asTenant((scope) => updateWebhook(scope, id, { enabled: false }))
    expect(await stage()).toEqual({ enqueued: 1 })
    await engine.sweep()
    await settle()
    expect(await only()).toMatchObject({ status: 'pending', next_attempt_at: null })
    expect(receiver.requests).toEqual([])
    await asTenant((scope) => updateWebhook(scope, id, { enabled: true }))
    await settle()
    expect(await only()).toMatchObject({ status: 'delivered' })
    expect(await asTenant((scope) => getWebhook(scope, id))).toMatchObject({ enabled: true, disabled_reason: null })
  })

  test('that is deleted leaves its unfinished rows failed, and nothing is sent', async () => {
    await register()
    const id = (await server.peek<{ id: string }>('select id from webhooks where tenant_id = $1', [tenantId]))[0]
      ?.id as never
    await asTenant((scope) => updateWebhook(scope, id, { enabled: false }))
    await stage()
    await asTenant((scope) => deleteWebhook(scope, id))
    await engine.sweep()
    await settle()
    expect(await only()).toMatchObject({ status: 'failed', last_error: 'webhook_deleted', next_attempt_at: null })
    expect(receiver.requests).toEqual([])
  })
})

test('a claimed row whose worker died is sent once its lease has run out', async () => {
  await register()
  await engine.stop()
  await stage()
  await server.peek('update webhook_queue set lease_until = $2, lease_token = gen_random_uuid() where tenant_id = $1', [
    tenantId,
    new Date(server.clock.now().getTime() + 45_000),
  ])
  useEngine(newEngine())
  await engine.sweep()
  await engine.idle()
  expect(receiver.requests).toEqual([])
  server.clock.advance(45_000)
  await engine.sweep()
  await engine.idle()
  expect(receiver.requests).toHaveLength(1)
})

test('a row that cannot even be signed fails its five attempts and holds up nobody', async () => {
  await register()
  await stage()
  await settle()
  await server.peek(`update webhooks set secret = 'v1.00000000.AAAA.AAAA' where tenant_id = $1`, [tenantId])
  await server.peek('update webhook_revisions set revision = gen_random_uuid() where tenant_id = $1', [tenantId])
  await register({ url: `${receiver.url}/healthy` })
  await stage()
  await settle()
  expect(receiver.requests.map((request) => request.path)).toEqual(['/hooks', '/hooks/healthy'])
  for (let i = 0; i < 5; i++) {
    server.clock.advance(3 * 3_600_000)
    await engine.sweep()
    await engine.idle()
  }
  expect((await ledger({ status: 'dead_lettered' })).data).toMatchObject([{ attempts: 5, last_status_code: null }])
})

test('eight workers share a backlog and send each row exactly once', async () => {
  await register()
  await engine.stop()
  for (let i = 0; i < 200; i++) await stage()
  const workers = Array.from({ length: 8 }, newEngine)
  await Promise.all(workers.map((worker) => worker.sweep()))
  await Promise.all(workers.map((worker) => worker.idle()))
  for (const worker of workers) await worker.sweep()
  await Promise.all(workers.map((worker) => worker.idle()))
  expect(receiver.requests).toHaveLength(200)
  expect(new Set(receiver.requests.map((request) => request.headers['webhook-id'])).size).toBe(200)
  expect((await ledger()).counts).toEqual({ pending: 0, delivered: 200, failed: 0, dead_lettered: 0 })
  await Promise.all(workers.map((worker) => worker.stop()))
})

test('one endpoint has at most ten requests in flight', async () => {
  await register()
  const held: ServerResponse[] = []
  let most = 0
  // Answers ten at a time, once all ten have come; an eleventh would have had every chance to come too.
  receiver.answer((_request, response) => {
    held.push(response)
    most = Math.max(most, held.length)
    if (held.length < 10) return
    setTimeout(() => {
      for (const waiting of held.splice(0)) waiting.writeHead(200).end()
    }, 20)
  })
  await engine.stop()
  for (let i = 0; i < 40; i++) await stage()
  useEngine(newEngine())
  await engine.sweep()
  await engine.idle()
  expect(receiver.requests).toHaveLength(40)
  expect(most).toBe(10)
})
