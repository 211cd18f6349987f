import { afterAll, beforeAll, expect, test } from 'vitest'
import { features } from '../../../features.ts'
import { runSweep } from '../../../testing/fixtures.ts'
import { submit } from '../../../testing/makers.ts'
import { everythingStored, openHouse, runRequests, type House } from './person.fixture.ts'

let house: House
beforeAll(async () => {
  // Ids follow the host's clock, and retention goes by ids.
  house = await openHouse({ now: new Date() })
}, 120_000)
afterAll(() => house.close())

async function say(body: object): Promise<string> {
  const { id } = await submit(house.server, house.surveyId, { answers: { q1: 5 }, ...body })
  await house.engine.idle()
  return id
}
const traces = async (word: string) =>
  (await everythingStored(house.server)).filter((row) => row.includes(word)).map((row) => row.split(':')[0])

test('what a response held earlier is erased from events and from the answers of receivers', async () => {
  const id = await say({ custom_data: { contact: 'line\nearlier.eland@example.com' } })
  expect((await traces('earlier.eland')).sort()).toEqual(['events', 'responses', 'webhook_attempts'])
  await house.call('PATCH', `/v1/responses/${id}`, { custom_data: { contact: 'none' } })
  await house.engine.idle()
  const subject = { email: 'earlier.eland@example.com' }
  const request = (await house.call('POST', '/v1/gdpr/requests', { kind: 'erasure', subject })).body.id
  await runRequests(house.server)
  expect((await house.call('GET', `/v1/gdpr/requests/${request}`)).body).toMatchObject({
    status: 'completed',
    counts: { responses: 0, events: 1, deliveries: 1 },
  })
  expect(await traces('earlier.eland')).toEqual([])
})

test('a deleted response leaves nothing in the answers of receivers', async () => {
  const id = await say({ answers: { q1: 5, q3: 'deleted.dingo@example.com' } })
  expect(await traces('deleted.dingo')).toContain('webhook_attempts')
  await house.call('DELETE', `/v1/responses/${id}`)
  expect(await traces('deleted.dingo')).toEqual([])
})

test('neither does one that retention has removed', async () => {
  await say({ answers: { q1: 5, q3: 'aged.auk@example.com' } })
  const retention = { responses_days: 30 }
  expect((await house.call('PATCH', '/v1/org', { retention })).status).toBe(200)
  house.server.clock.advance(31 * 86_400_000)
  const sweeps = features.flatMap(({ retention = [] }) => retention)
  for (const { tables, sweep } of sweeps) if (tables.includes('responses')) await runSweep(house.server, sweep)
  expect(await traces('aged.auk')).toEqual([])
})
