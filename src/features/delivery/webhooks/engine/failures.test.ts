import { randomUUID } from 'node:crypto'
import { Registry } from 'prom-client'
import { describe, expect, test } from 'vitest'
import {
  asTenant,
  engine,
  ledger,
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
import { getDelivery } from '../log/deliveries.service.ts'
import { replayDelivery } from '../replay/replays.service.ts'
import { createDeliveryEngine } from './delivery-engine.ts'

setUpDeliveries()

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

  test('with 410 also disables the webhook, and notifies the others', async () => {
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
  await expect.poll(async () => (await only()).dead_lettered).toBe(true)
  expect(receiver.requests).toHaveLength(5)
})

test('a row that cannot even be signed fails its five attempts and holds up nobody', async () => {
  await register()
  await stage()
  await settle()
  await server.peek(`update webhooks set secret = 'v1.00000000.AAAA.AAAA' where tenant_id = $1`, [tenantId])
  await server.peek('update webhook_revisions set revision = $2 where tenant_id = $1', [tenantId, randomUUID()])
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
