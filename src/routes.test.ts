import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from './testing/harness.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

test('no route is shadowed by an earlier one with a parameter in its place', () => {
  const { routes } = server.app
  const shadowed = routes.flatMap((route, index) =>
    routes
      .slice(0, index)
      .filter(({ method, path }) => method === route.method && path !== route.path && patternOf(path).test(route.path))
      .map(({ path }) => `${route.path} by ${path}`),
  )
  expect(routes.length).toBeGreaterThan(100)
  expect(shadowed).toEqual([])
})

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll('.', '\\.').replace(/:\w+/g, '[^/]+')}$`)
}
