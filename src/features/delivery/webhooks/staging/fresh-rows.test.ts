import { AsyncLocalStorage } from 'node:async_hooks'
import { describe, expect, test } from 'vitest'
import { parseId, type Id } from '../../../../platform/ids.ts'
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
import { readSubscribers } from './subscribers.service.ts'
import { ENDPOINT_SLOTS } from '../engine/fairness-endpoint.ts'
import { rotateSecret, updateWebhook } from '../registration/webhooks.service.ts'
import { deleteWebhook } from '../registration/webhooks.store.ts'

setUpDeliveries()

const claims = () => server.statements.filter(({ text }) => text.includes('with picked as')).length
const jobs = () =>
  server.peek<{ leased: boolean }>('select lease_until is not null as leased from webhook_queue where tenant_id = $1', [
    tenantId,
  ])
const idOf = (webhook: { id: string }) => parseId('webhook', webhook.id) as Id<'webhook'>
const EVENT = { type: 'response.completed', surveyId: null, source: 'an event', data: {} } as const
type Change = Parameters<typeof updateWebhook>[2]

/** Answers wait until they are told to go on. */
function holdAnswers(): { go(): void } {
  const waiting: Array<() => void> = []
  receiver.answer((_, response) => void waiting.push(() => response.writeHead(200).end('ok')))
  return {
    go() {
      for (const answer of waiting.splice(0)) answer()
      receiver.answer((_, response) => void response.writeHead(200).end('ok'))
    },
  }
}

describe('a fresh row', () => {
  test('is stored with the lease of the process that stages it, and sent without a claim', async () => {
    await register()
    const before = claims()
    const answers = holdAnswers()
    await stage()
    await expect.poll(() => receiver.requests.length).toBe(1)
    expect(await jobs()).toEqual([{ leased: true }])
    answers.go()
    await settle()
    expect(await only()).toMatchObject({ status: 'delivered', attempts: 1, next_attempt_at: null })
    expect(await jobs()).toEqual([])
    expect(claims()).toBe(before)
  })

  test('waits to be claimed while its endpoint has as many requests in flight as it may', async () => {
    await register()
    const before = claims()
    const answers = holdAnswers()
    for (let n = 0; n < ENDPOINT_SLOTS; n++) await stage()
    await expect.poll(() => receiver.requests.length).toBe(ENDPOINT_SLOTS)
    expect(claims()).toBe(before)
    await stage()
    expect((await jobs()).filter(({ leased }) => !leased)).toHaveLength(1)
    answers.go()
    await settle()
    expect((await ledger()).counts).toMatchObject({ pending: 0, delivered: ENDPOINT_SLOTS + 1 })
    expect(receiver.requests).toHaveLength(ENDPOINT_SLOTS + 1)
    expect(claims()).toBe(before + 1)
  })

  test('of a process that died is sent by another one once the lease has run out', async () => {
    await register()
    const living = engine
    useEngine({ ...living, hold: () => ({ send: () => {}, cancel: () => {} }) })
    await stage()
    useEngine(living)
    await living.sweep()
    await living.idle()
    expect(receiver.requests, 'it has a lease').toEqual([])
    server.clock.advance(45_000)
    await living.sweep()
    await living.idle()
    expect(await only()).toMatchObject({ status: 'delivered', attempts: 1 })
    expect(receiver.requests).toHaveLength(1)
  })

  test('leaves no slot occupied when its transaction rolls back, or when its cause had an event already', async () => {
    await register()
    const failing = () =>
      asTenant((scope) =>
        scope.tx(async (tx) => {
          await stageEvent(scope, tx, { type: 'response.completed', surveyId: null, source: 'rolled back', data: {} })
          throw new Error('the cause failed')
        }),
      )
    await stage({ source: 'same' })
    for (let n = 0; n < 2 * ENDPOINT_SLOTS; n++) {
      await expect(failing()).rejects.toThrow('the cause failed')
      expect(await stage({ source: 'same' })).toEqual({ enqueued: 0 })
    }
    const before = claims()
    await stage()
    await settle()
    expect((await ledger()).counts).toMatchObject({ pending: 0, delivered: 2 })
    expect(claims()).toBe(before)
  })

  test('is left to the sweep where its transaction took most of the lease', async () => {
    await register()
    await asTenant((scope) =>
      scope.tx(async (tx) => {
        await stageEvent(scope, tx, EVENT)
        server.clock.advance(40_000)
      }),
    )
    await settle()
    expect(receiver.requests).toEqual([])
    server.clock.advance(5_000)
    await engine.sweep()
    await engine.idle()
    expect(await only()).toMatchObject({ status: 'delivered' })
    expect(receiver.requests).toHaveLength(1)
  })

  test('is left to others by an engine that is being stopped', async () => {
    await register()
    await engine.stop()
    await stage()
    expect(await jobs()).toEqual([{ leased: false }])
    useEngine(newEngine())
    await engine.sweep()
    await engine.idle()
    expect(await only()).toMatchObject({ status: 'delivered' })
  })
})

describe('what is known of a webhook', () => {
  test('is read again after each change', async () => {
    const webhook = await register()
    const change = (input: object) => asTenant((scope) => updateWebhook(scope, idOf(webhook), input as Change))
    await stage()
    await settle()
    await change({ url: `${receiver.url}/moved` })
    await stage()
    await settle()
    expect(receiver.requests.map(({ path }) => path)).toEqual(['/hooks', '/hooks/moved'])
    await change({ events: ['survey.sent'] })
    expect(await stage()).toEqual({ enqueued: 0 })
    await change({ events: [], enabled: false })
    await stage()
    await settle()
    expect((await ledger()).counts).toMatchObject({ pending: 1, delivered: 2 })
    await asTenant((scope) => scope.tx((tx) => deleteWebhook(tx, idOf(webhook))))
    expect(await stage()).toEqual({ enqueued: 0 })
  })

  test('is looked at once more when the rows are stored: who disabled or moved it meanwhile is obeyed', async () => {
    const webhook = await register()
    const change = (input: object) => asTenant((scope) => updateWebhook(scope, idOf(webhook), input as Change))
    const outside = AsyncLocalStorage.snapshot()
    const stageDuring = (input: object) =>
      asTenant((scope) =>
        scope.tx(async (tx) => {
          await stageEvent(scope, tx, { ...EVENT, source: JSON.stringify(input) })
          await outside(change, input)
        }),
      )
    await stageDuring({ url: `${receiver.url}/moved` })
    await settle()
    await stageDuring({ enabled: false })
    await settle()
    expect(receiver.requests.map(({ path }) => path)).toEqual(['/hooks/moved'])
    expect((await ledger()).counts).toMatchObject({ pending: 1, delivered: 1 })
  })

  test('changes by many at once without a deadlock', async () => {
    const webhook = await register()
    const other = await register({ enabled: false })
    const changes = Array.from({ length: 30 }, (_, n) => [
      asTenant((scope) => updateWebhook(scope, idOf(webhook), { description: `${n}` } as Change)),
      asTenant((scope) => rotateSecret(scope, idOf(webhook), { overlap_hours: 24 })),
      asTenant((scope) => updateWebhook(scope, idOf(other), { enabled: n % 2 === 0 } as Change)),
    ])
    const outcomes = await Promise.allSettled(changes.flat())
    expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([])
  })

  test('is not what a transaction read that rolled back', async () => {
    const webhook = await register()
    await stage()
    const failing = asTenant((scope) =>
      scope.tx(async (tx) => {
        await deleteWebhook(tx, idOf(webhook))
        expect((await readSubscribers(scope, tx)).subscribers).toEqual([])
        throw new Error('it stays after all')
      }),
    )
    await expect(failing).rejects.toThrow('it stays after all')
    await asTenant((scope) => rotateSecret(scope, idOf(webhook), { overlap_hours: 24 }))
    expect(await stage()).toEqual({ enqueued: 1 })
    await settle()
    const signatures = receiver.requests.map(({ headers }) => headers['x-voc-signature'])
    expect(new Set(signatures).size).toBe(2)
  })
})
