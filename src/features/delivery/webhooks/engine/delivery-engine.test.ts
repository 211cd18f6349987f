import { randomUUID } from 'node:crypto'
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
import { stageEvent } from '../../publishing/publishing.service.ts'
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
         insert into webhook_deliveries as made (tenant_id, id, webhook_id, event_id, event, status, created_at)
         select $1, gen_random_uuid(), w.id, gen_random_uuid(), 'survey.sent', 'pending', $2 from webhooks w, generate_series(1, 5) where w.tenant_id = $1
         returning made.*)
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
  await server.peek('update webhook_queue set lease_until = $2, lease_token = $3 where tenant_id = $1', [
    tenantId,
    new Date(server.clock.now().getTime() + 45_000),
    randomUUID(),
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
