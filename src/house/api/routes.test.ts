import { afterAll, beforeAll, expect, test } from 'vitest'
import { formatId, newId, type IdKind } from '../../platform/ids.ts'
import { createWorkspace } from '../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../testing/harness.ts'
import { routes, title } from '../../testing/route-caller.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

test('every route of the API refuses a parameter that it does not know', async () => {
  const { token } = await createWorkspace(server)
  const known = routes.filter(({ path }) => path.startsWith('/v1/'))
  expect(known.length).toBeGreaterThan(150)
  const answers = await Promise.all(
    known.map(async (route) => {
      const path = route.path.replace(/:(\w+)/g, (_, name: string) => {
        const kind = route.params[name]
        return kind === undefined || kind === 'text' ? 'x' : formatId(kind, newId(kind))
      })
      const { status, body } = await server.request(route.method.toUpperCase(), `${path}?no_such=true`, { token })
      return { route: title(route), status, issues: JSON.stringify(body?.issues ?? null) }
    }),
  )
  const obeyed = answers.filter(({ status, issues }) => status !== 400 || !issues.includes('no_such'))
  // Routes that look for their row before they read a required parameter.
  expect(obeyed.filter(({ status, route }) => status !== 404 || !/explain$|csv$/.test(route))).toEqual([])
})

test('a dry run that a route does not have changes nothing', async () => {
  const { token } = await createWorkspace(server)
  const csv = { token, body: Buffer.from('email\nada@example.com'), headers: { 'content-type': 'text/csv' } }
  expect((await server.request('POST', '/v1/suppression/import?dry_run=true', csv)).status).toBe(400)
  expect((await server.request('GET', '/v1/suppression', { token })).body.data).toEqual([])
  const renamed = { token, body: { name: 'Renamed' } }
  expect((await server.request('PATCH', '/v1/org?dry_run=true', renamed)).status).toBe(400)
  expect((await server.request('GET', '/v1/org', { token })).body.name).not.toBe('Renamed')
})

test('an unknown id is 404 before a parameter of the query is missing', async () => {
  const { token } = await createWorkspace(server)
  const ofRows = routes.filter(
    ({ kind, params }) => kind === 'tenant' && Object.values(params).some((each) => each !== 'text'),
  )
  expect(ofRows.filter(({ exampleQuery }) => Object.keys(exampleQuery).length > 0).length).toBeGreaterThan(1)
  for (const { method, path, params, example } of ofRows) {
    const unknown = Object.entries(params).reduce(
      (text, [name, kind]) => text.replace(`:${name}`, kind === 'text' ? '1' : formatId(kind, newId(kind as IdKind))),
      path,
    )
    const answer = await server.request(method.toUpperCase(), unknown, {
      token,
      ...(method !== 'get' && { body: example ?? {} }),
    })
    expect(answer.status, `${method} ${path} ${answer.text}`).toBe(404)
  }
})
