import { randomUUID } from 'node:crypto'
import { Registry } from 'prom-client'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  asTenant,
  engine,
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
import { DatabaseUnavailableError } from '../../../../platform/database/database-adapter.ts'
import { type Id } from '../../../../platform/ids.ts'
import { getDelivery } from '../log/deliveries.service.ts'
import { rotateSecret, updateWebhook } from '../registration/webhooks.service.ts'
import { sign } from './signature.ts'
import { createDeliveryEngine, type DeliveryEngine } from './delivery-engine.ts'

setUpDeliveries()

describe('what applies at the attempt', () => {
  test('a secret rotated between enqueue and attempt signs', async () => {
    const webhook = await register()
    const id = (await server.peek<{ id: string }>('select id from webhooks where tenant_id = $1', [tenantId]))[0]
      ?.id as never
    await engine.stop()
    await stage()
    const rotated = await asTenant((scope) => rotateSecret(scope, id, { overlap_hours: 24 }))
    useEngine(newEngine())
    await engine.sweep()
    await engine.idle()
    const [request] = receiver.requests
    const timestamp = Number(request?.headers['x-voc-timestamp'])
    expect(request?.headers['x-voc-signature']).toBe(sign(rotated.secret ?? '', timestamp, request?.body ?? ''))
    expect(request?.headers['x-voc-signature']).not.toBe(sign(webhook.secret ?? '', timestamp, request?.body ?? ''))
  })

  test('a legacy webhook without a secret is delivered unsigned', async () => {
    await register()
    await server.peek('update webhooks set secret = null, secret_preview = null where tenant_id = $1', [tenantId])
    await server.peek('update webhook_revisions set revision = $2 where tenant_id = $1', [tenantId, randomUUID()])
    await stage()
    await settle()
    expect(Object.keys(receiver.requests[0]?.headers ?? {}).filter((name) => /^x-voc|^webhook-/.test(name))).toEqual([])
  })

  test('a toggle switched off while a row waits is reflected in the signed bytes, and the ledger says that they changed', async () => {
    await register({})
    const id = (await server.peek<{ id: string }>('select id from webhooks where tenant_id = $1', [tenantId]))[0]
      ?.id as never
    await stage({ data: { text: [{ questionId: 'q3', value: 'words' }], answers: [], score: null, customData: {} } })
    await settle()
    expect(receiver.requests[0]?.body).toContain('words')
    await asTenant((scope) => updateWebhook(scope, id, { include_text: false }))
    const deliveryId = (
      await server.peek<{ id: string }>('select id from webhook_deliveries where tenant_id = $1', [tenantId])
    )[0]?.id as never
    const detail = await asTenant((scope) => getDelivery(scope, deliveryId))
    expect(detail.payload_changed).toBe(true)
    expect(detail.payload).not.toContain('words')
  })
})

describe('while a request is in flight', () => {
  let release: Array<() => void>
  let status: number
  beforeEach(() => {
    release = []
    status = 200
    receiver.answer((_request, response) => void release.push(() => void response.writeHead(status).end()))
  })
  const inFlight = () => expect.poll(() => release.length).toBeGreaterThan(0)
  const answer = async () => {
    for (const end of release.splice(0)) end()
    await settle()
  }
  const webhookId = async () =>
    (await server.peek<{ id: Id<'webhook'> }>('select id from webhooks where tenant_id = $1', [tenantId]))[0]
      ?.id as Id<'webhook'>

  test('disabling and enabling its webhook loses no answer, and sends nothing twice', async () => {
    await register()
    const id = await webhookId()
    await stage()
    await inFlight()
    await asTenant((scope) => updateWebhook(scope, id, { enabled: false }))
    await answer()
    expect(await only()).toMatchObject({ status: 'delivered', attempts: 1 })
    await asTenant((scope) => updateWebhook(scope, id, { enabled: true }))
    await settle()
    expect(receiver.requests).toHaveLength(1)
  })

  test('a failure that comes after the webhook was disabled is counted, and waits', async () => {
    await register()
    const id = await webhookId()
    await stage()
    await inFlight()
    await asTenant((scope) => updateWebhook(scope, id, { enabled: false }))
    status = 500
    await answer()
    expect(await only()).toMatchObject({ status: 'failed', attempts: 1, next_attempt_at: null, dead_lettered: false })
    status = 200
    await asTenant((scope) => updateWebhook(scope, id, { enabled: true }))
    await inFlight()
    await answer()
    expect(await only()).toMatchObject({ status: 'delivered', attempts: 2 })
  })

  test.each([200, 500])('a %d that comes after its lease was lost changes nothing', async (late) => {
    status = late
    await register()
    await stage()
    await inFlight()
    await server.peek('update webhook_queue set lease_token = $2 where tenant_id = $1', [tenantId, randomUUID()])
    await answer()
    expect(await only()).toMatchObject({ status: 'pending', attempts: 0 })
  })

  test('stopping waits for it, and records it', async () => {
    await register()
    await stage()
    await inFlight()
    const stopped = engine.stop()
    await answer()
    await stopped
    expect(await only()).toMatchObject({ status: 'delivered' })
  })
})

test('stopping gives back what was claimed and not yet sent', async () => {
  await register()
  await stage({ source: 'before-stop' })
  await settle()
  receiver.requests.length = 0
  const { run, log, settings } = server.services
  let claimed = () => {}
  let goOn = () => {}
  const atClaim = new Promise<void>((resolve) => (claimed = resolve))
  const resumed = new Promise<void>((resolve) => (goOn = resolve))
  const slow: DeliveryEngine = createDeliveryEngine({
    run: (work) =>
      run((system) => {
        const tenant: typeof system.tenant = (...whose) => {
          const scope = system.tenant(...whose)
          const tx: typeof scope.tx = async (work, shared) => {
            const result = await scope.tx(work, shared)
            if (Array.isArray(result) && result.length > 0 && 'event_id' in result[0]) {
              claimed()
              await resumed
            }
            return result
          }
          return { ...scope, tx }
        }
        return work({ ...system, tenant })
      }),
    log,
    settings,
    clock: server.clock,
    metrics: new Registry(),
  })
  await engine.stop()
  await stage()
  await slow.sweep()
  await atClaim
  const stopped = slow.stop()
  goOn()
  await stopped
  expect(receiver.requests).toEqual([])
  expect(
    await server.peek('select lease_token from webhook_queue where tenant_id = $1 and lease_token is not null', [
      tenantId,
    ]),
  ).toEqual([])
})

test('stopping while a sweep is under way ends', async () => {
  const { run, log, settings } = server.services
  let goOn = () => {}
  const held = new Promise<void>((resolve) => (goOn = resolve))
  await register()
  await engine.stop()
  await stage()
  const slow = createDeliveryEngine({
    run: async (work) => {
      const result = await run(work)
      await held
      return result
    },
    log,
    settings,
    clock: server.clock,
    metrics: new Registry(),
  })
  slow.start()
  const stopped = slow.stop()
  goOn()
  await stopped
  expect(receiver.requests).toEqual([])
})

test('what came of an attempt is recorded once the database is back', async () => {
  await register()
  await engine.stop()
  await stage()
  const { run, log, settings } = server.services
  let away = false
  const shaky = createDeliveryEngine({
    run: async (work) => {
      if (away) {
        away = false
        throw new DatabaseUnavailableError(new Error('gone'))
      }
      return run(work)
    },
    log,
    settings,
    clock: server.clock,
    metrics: new Registry(),
  })
  receiver.answer((_request, response) => {
    away = true
    response.writeHead(200).end()
  })
  await shaky.sweep()
  await shaky.idle()
  expect(receiver.requests).toHaveLength(1)
  expect(await only()).toMatchObject({ status: 'delivered', attempts: 1 })
  await shaky.stop()
})
