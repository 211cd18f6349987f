import { afterAll, beforeAll, expect, test } from 'vitest'
import { openHouse, runRequests, type House } from '../../trust/data-protection/person.fixture.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house.close())

test('only waiting mail to the person is ended, and not mail to a longer address', async () => {
  const roles = (await house.call('GET', '/v1/roles?limit=100')).body.data
  const role_id = roles.find(({ name }: { name: string }) => name === 'viewer').id
  for (const email of ['bo@example.com', 'jumbo@example.com', 'bo@example.company'])
    expect((await house.call('POST', '/v1/members/invitations', { email, role_id })).status).toBe(201)
  const { id } = (
    await house.call('POST', '/v1/gdpr/requests', { kind: 'erasure', subject: { email: 'bo@example.com' } })
  ).body
  await runRequests(house.server)
  expect((await house.call('GET', `/v1/gdpr/requests/${id}`)).body.counts).toMatchObject({ outbox: 1, invitations: 1 })
})
