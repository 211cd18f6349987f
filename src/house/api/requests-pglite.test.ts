import { expect, test } from 'vitest'
import { makeCall } from '../../testing/audit-calls.ts'
import { shareWorkspaces } from '../../testing/fixtures.ts'
import { each, routes, useRouteCaller } from '../../testing/route-caller.ts'

const { server } = useRouteCaller('pglite')
const nextWorkspace = shareWorkspaces(server, 20)

test.each(each(routes))('%s answers a request on the embedded database', async (_name, route) => {
  const { path, ...call } = await makeCall(server(), await nextWorkspace(), route)
  const answer = await server().request(route.method.toUpperCase(), path, call)
  // Some reads need two ids that belong together, and providers sign their calls.
  const isExample = route.method !== 'get' && route.tag !== 'Provider callbacks'
  expect(answer.status, answer.text).toBeLessThan(isExample ? 400 : 500)
})
