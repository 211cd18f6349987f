import { afterAll, beforeAll, expect, test } from 'vitest'
import { storeInMemory } from '../../../testing/providers/memory-storage.ts'
import { runSweep, sweepNamed } from '../../../testing/fixtures.ts'
import { EMAIL, fillEveryStore, openHouse, PHONE, runRequests, type House } from './person.fixture.ts'

let house: House
let responses: string[]
beforeAll(async () => {
  house = await openHouse()
  storeInMemory(house.server)
  responses = await fillEveryStore(house)
  await request({ kind: 'access', subject: { email: EMAIL } })
}, 60_000)
afterAll(() => house.close())

async function request(body: object) {
  const { id } = (await house.call('POST', '/v1/gdpr/requests', body)).body
  await runRequests(house.server)
  await runSweep(house.server, sweepNamed('exports.runs'))
  house.server.clock.advance(10_000)
  await runRequests(house.server)
  return (await house.call('GET', `/v1/gdpr/requests/${id}`)).body
}
const subject = { email: EMAIL, phone: PHONE }

test('an erasure of every store ends, and no store finds again what its own erasure left', async () => {
  const erasure = await request({ kind: 'erasure', subject })
  const { counts } = erasure
  expect(Object.keys(counts).filter((name) => counts[name] === 0)).toEqual([])
  expect(erasure.status).toBe('completed')
  const again = await request({ kind: 'erasure', subject: { ...subject, response_ids: responses } })
  expect(again.status).toBe('completed')
  expect(Object.keys(again.counts).filter((name) => again.counts[name] > 0)).toEqual([])
})
