import { afterEach, expect, test } from 'vitest'
import type { DatabaseAdapter } from '../../platform/database/database-adapter.ts'
import { newId } from '../../platform/ids.ts'
import { createLog } from '../../platform/config/log.ts'
import type { Wake } from '../../platform/ports/ports.ts'
import { createWakeBus, type WakeBus } from './wake-bus.ts'

const TOPIC = 'work'
let listener: (payload: string) => void = () => {}
let published: string[] = []
let statements = 0
const database = {
  publish: async (_channel: string, payloads: string[]) => {
    statements += 1
    published.push(...payloads)
    payloads.forEach((payload) => listener(payload))
  },
  subscribe: async (_channel: string, receive: (payload: string) => void) => {
    listener = receive
    return async () => {}
  },
} as unknown as DatabaseAdapter
const buses: WakeBus[] = []

function bus(): WakeBus {
  const made = createWakeBus(database, createLog('silent'))
  buses.push(made)
  return made
}

/** The wakes of another process that a listening process receives. */
async function carried(wakes: Wake[]): Promise<Wake[]> {
  const heard: Wake[] = []
  await bus().listen({ [TOPIC]: { wake: (wake) => void heard.push(wake) } })
  const sender = bus()
  for (const wake of wakes) sender.wake(TOPIC, wake)
  await sender.stop()
  return heard
}

afterEach(async () => {
  for (const made of buses.splice(0)) await made.stop()
  published = []
  statements = 0
})

test('wakes of a tenant travel in few notifications, each below the 8,000 bytes that PostgreSQL takes', async () => {
  const tenantId = newId('workspace')
  const wakes = Array.from({ length: 100 }, () => ({ tenantId, group: newId('webhook'), ids: [newId('delivery')] }))
  expect(await carried(wakes)).toEqual(wakes)
  expect(published.length).toBeLessThanOrEqual(2)
})

test('more rows than one notification holds arrive all the same', async () => {
  const ids = Array.from({ length: 1_000 }, () => newId('delivery'))
  const heard = await carried([{ tenantId: newId('workspace'), group: newId('webhook'), ids }])
  expect(heard.flatMap((wake) => wake.ids)).toEqual(ids)
  for (const payload of published) expect(Buffer.byteLength(payload)).toBeLessThan(8_000)
})

test('tenants stay apart, and a wake without rows means whatever is due', async () => {
  const wakes = [newId('workspace'), newId('workspace')].map((tenantId) => ({ tenantId, group: '', ids: [] }))
  expect(await carried(wakes)).toEqual(wakes)
  expect(statements).toBe(1)
})

test('a notification that is none of ours is passed over', async () => {
  const heard: Wake[] = []
  await bus().listen({ [TOPIC]: { wake: (wake) => void heard.push(wake) } })
  for (const payload of [
    '',
    'no json',
    '{"topic":"work"}',
    JSON.stringify({ topic: TOPIC, tenantId: 't', group: 'g', ids: ['1'] }),
  ])
    listener(payload)
  expect(heard).toEqual([])
})
