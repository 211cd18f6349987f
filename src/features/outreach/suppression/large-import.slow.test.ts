import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorkspace, type TestWorkspace } from '../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../testing/harness.ts'

let server: TestServer
let owner: TestWorkspace
beforeAll(async () => {
  server = await startTestServer()
  owner = await createWorkspace(server)
})
afterAll(() => server.close())

test('an import takes 20,000 rows in one call, and two at the same time do not wait for each other in a circle', async () => {
  const rows = Array.from({ length: 20_000 }, (_, n) => ({
    channel: 'email',
    address: `person-${n}@example.com`,
    reason: 'unsubscribe',
  }))
  const send = (given: object[]) =>
    server.request('POST', '/v1/suppression/import', { token: owner.token, body: { rows: given } })
  const [one, two] = await Promise.all([send(rows), send(rows.toReversed())])
  expect([one.status, two.status]).toEqual([200, 200])
  expect(one.body.suppressed + two.body.suppressed).toBe(20_000)
}, 60_000)
