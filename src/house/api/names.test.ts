import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeCall } from '../../testing/audit-calls.ts'
import { shareWorkspaces } from '../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../testing/harness.ts'
import { each, routes } from '../../testing/route-caller.ts'

// Names stand in mails, headers and logs, where a second line would be somebody else's words.
const NAMES = ['name', 'team', 'label', 'workspace_name']
const named = routes.filter(({ example }) => NAMES.some((name) => name in Object(example)))

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())
const nextWorkspace = shareWorkspaces(() => server, 20)

test.each(each(named))('%s keeps a name on one line, or refuses it', async (_name, route) => {
  const { path, body, ...call } = await makeCall(server, await nextWorkspace(), route)
  for (const name of NAMES.filter((each) => each in Object(body))) {
    const sent = { ...(body as object), [name]: 'Your bill\r\n\u2028\u0085is due' }
    const answer = await server.request(route.method.toUpperCase(), path, { ...call, body: sent })
    if (answer.status < 300) expect(answer.text).not.toMatch(/bill(\\r|\\n|\u2028|\u0085)/)
    else expect([400, 409, 422]).toContain(answer.status)
  }
})

test('routes with names are found', () => {
  expect(named.length).toBeGreaterThan(15)
})
