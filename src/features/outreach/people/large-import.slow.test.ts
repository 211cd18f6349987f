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

test('an import takes 20,000 rows and refuses one more', async () => {
  const rows = Array.from({ length: 20_000 }, (_, n) => ({ email: `p${n}@example.com`, attributes: { n } }))
  const send = (given: object[]) =>
    server.request('POST', '/v1/people/import', { token: owner.token, body: { rows: given } })
  expect((await send(rows)).body).toEqual({ created: 20_000, updated: 0, rejected: [] })
  expect((await send(rows)).body).toEqual({ created: 0, updated: 20_000, rejected: [] })
  expect((await send([...rows, { email: 'one@more.example' }])).status).toBe(400)
}, 60_000)
