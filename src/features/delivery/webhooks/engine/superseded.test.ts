import { beforeEach, expect, test } from 'vitest'
import {
  asTenant,
  engine,
  only,
  receiver,
  register,
  server,
  settle,
  setUpDeliveries,
  stage,
  tenantId,
} from '../../../../testing/delivery-fixtures.ts'
import type { Id } from '../../../../platform/ids.ts'
import { eraseEventsOf } from '../../publishing/removal.service.ts'
import { getDelivery } from '../log/deliveries.service.ts'
import { deleteWebhook } from '../registration/webhooks.service.ts'

setUpDeliveries()

const ECHO = '{"you_said":"I am Ada"}'
let release: Array<() => void>
let status: number
beforeEach(async () => {
  release = []
  status = 200
  receiver.answer(
    (_request, response) => void release.push(() => void response.writeHead(status, { 'x-echo': 'Ada' }).end(ECHO)),
  )
  await register()
  await stage({ source: 'response:1:completed', data: { text: [{ questionId: 'q3', value: 'I am Ada' }] } })
  await inFlight()
})

const inFlight = () => expect.poll(() => release.length).toBeGreaterThan(0)
const answer = async () => {
  for (const end of release.splice(0)) end()
  await settle()
}
const erase = () => asTenant((scope) => scope.tx((tx) => eraseEventsOf(tx, ['response:1:'])))
const idIn = async <T>(table: string) =>
  (await server.peek<{ id: T }>(`select id from ${table} where tenant_id = $1`, [tenantId]))[0]?.id as T
const log = async () => {
  const id = await idIn<Id<'delivery'>>('webhook_deliveries')
  return (await asTenant((scope) => getDelivery(scope, id))).attempt_log
}
const remove = async () => {
  const id = await idIn<Id<'webhook'>>('webhooks')
  await asTenant((scope) => deleteWebhook(scope, id))
}
const SUPERSEDED = { superseded: true, response_excerpt: null, response_headers: null }

test('an erasure in flight sends no second body, and the attempt is logged without its answer', async () => {
  await erase()
  await answer()
  expect(await only()).toMatchObject({ status: 'delivered', attempts: 1, last_status_code: 200 })
  server.clock.advance(120_000)
  await settle()
  expect(receiver.requests).toHaveLength(1)
  expect(await log()).toMatchObject([{ n: 1, status_code: 200, error: null, ...SUPERSEDED }])
  expect(JSON.stringify(await server.peek('select * from webhook_attempts'))).not.toContain('Ada')
})

test('a failure that comes after an erasure is logged without its answer, and the retry has what is left', async () => {
  await erase()
  status = 500
  await answer()
  expect(await only()).toMatchObject({ status: 'failed', attempts: 1 })
  expect(await log()).toMatchObject([{ n: 1, status_code: 500, ...SUPERSEDED }])
  server.clock.advance(60_000)
  await engine.sweep()
  await inFlight()
  status = 200
  await answer()
  expect(receiver.requests).toHaveLength(2)
  expect(receiver.requests[1]?.body).not.toContain('Ada')
  expect(await log()).toMatchObject([
    { n: 1, ...SUPERSEDED },
    { n: 2, status_code: 200, superseded: false, response_excerpt: ECHO },
  ])
})

test('an attempt in flight that never ends is made again after its lease, and is not superseded', async () => {
  await erase()
  const [first] = release.splice(0)
  server.clock.advance(120_000)
  await engine.sweep()
  await inFlight()
  release.splice(0).forEach((end) => end())
  await expect.poll(async () => (await only()).status).toBe('delivered')
  first?.()
  await settle()
  expect(receiver.requests).toHaveLength(2)
  expect(await log()).toMatchObject([{ n: 1, superseded: false, response_excerpt: ECHO }])
})

test.each([200, 500])('a deletion in flight sends no second body, and an answer of %d is logged', async (code) => {
  await remove()
  status = code
  await answer()
  server.clock.advance(86_400_000)
  await settle()
  expect(receiver.requests).toHaveLength(1)
  expect(await only()).toMatchObject({ status: 'failed', last_error: 'webhook_deleted', dead_lettered: false })
  expect(await log()).toMatchObject([{ n: 1, status_code: code, error: 'webhook_deleted', ...SUPERSEDED }])
})

test('an erasure and then a deletion in flight leave one entry', async () => {
  await erase()
  await remove()
  await answer()
  expect(await log()).toMatchObject([{ n: 1, ...SUPERSEDED }])
})

test('a deletion while nothing is in flight adds no entry', async () => {
  status = 500
  await answer()
  await remove()
  server.clock.advance(86_400_000)
  await settle()
  expect(await log()).toMatchObject([{ n: 1, superseded: false, response_excerpt: ECHO }])
})
