import { sweepNamed } from '../../../testing/fixtures.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Connection, Reach } from '../../../platform/database/database-adapter.ts'
import { submit } from '../../../testing/makers.ts'
import { propertyRuns } from '../../../testing/property-runs.ts'
import { everythingStored, openHouse, runRequests, type House } from './person.fixture.ts'

const OPTIONS = { limit: 100, signal: new AbortController().signal, renew: async () => true }

let house: House
beforeAll(async () => {
  house = await openHouse({ now: new Date() })
}, 120_000)
afterAll(() => house.close())

// Like a process that dies: nothing runs after that moment, not even the note that it failed.
async function runAndDie(at: number, when: 'before' | 'after'): Promise<{ died: boolean; transactions: number }> {
  let transactions = 0
  let died = false
  await house.server.services
    .run(async (system) => {
      const { database } = system.ports
      const transaction = database.transaction.bind(database)
      database.transaction = async <T>(reach: Reach, work: (connection: Connection) => Promise<T>): Promise<T> => {
        if (died) throw new Error('dead')
        // A slow machine looks for more work while a step goes on.
        if (reach.role === 'system') return transaction(reach, work)
        transactions += 1
        if (transactions !== at) return transaction(reach, work)
        died = true
        if (when === 'after') await transaction(reach, work)
        else
          await transaction(reach, async (connection) => {
            await work(connection)
            throw new Error('dies')
          }).catch(() => {})
        throw new Error('died')
      }
      await sweepNamed('data-protection.requests').run(system, OPTIONS)
    })
    .catch(() => {})
  return { died, transactions }
}

test('an erasure that dies at seeded moments ends as if it had not', async () => {
  let people = 0
  const plant = async () => {
    people += 1
    const email = `planted.${people}@example.com`
    const body = { answers: { q1: 9, q3: `I am ${email}, of the lighthouse` } }
    const { id } = await submit(house.server, house.surveyId, body)
    await house.call('POST', `/v1/responses/${id}/notes`, { text: `wrote from the lighthouse` })
    await house.engine.idle()
    return (await house.call('POST', '/v1/gdpr/requests', { kind: 'erasure', subject: { email } })).body.id
  }
  const outcomeOf = async (id: string) => {
    const { status, counts } = (await house.call('GET', `/v1/gdpr/requests/${id}`)).body
    const { erased, external } = (await house.call('GET', `/v1/gdpr/requests/${id}/certificate`)).body
    return { status, counts, erased, told: external.length }
  }
  const undisturbed = await plant()
  const { transactions: moments } = await runAndDie(Infinity, 'after')
  const expected = await outcomeOf(undisturbed)
  expect(expected).toMatchObject({
    status: 'completed',
    erased: { responses: 1, notes: 1, events: 1, deliveries: 1 },
  })
  expect(moments).toBeGreaterThan(10)
  const { seed, numRuns } = propertyRuns(20_261_122, 4)
  let state = seed
  const random = () => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648
  for (let n = 0; n < numRuns; n++) {
    const id = await plant()
    const at = 1 + Math.floor(random() * moments)
    const when = random() < 0.5 ? ('before' as const) : ('after' as const)
    expect((await runAndDie(at, when)).died, `${at} of ${moments}`).toBe(true)
    house.server.clock.advance(61_000)
    await runRequests(house.server)
    expect(await outcomeOf(id), `${when} commit ${at} of ${moments}`).toEqual(expected)
  }
  const left = (await everythingStored(house.server)).filter((row) => /planted\.\d|of the lighthouse/.test(row))
  expect(left).toEqual([])
})
