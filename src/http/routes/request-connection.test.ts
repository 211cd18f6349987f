import { connect } from 'node:net'
import { z } from 'zod'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApiKey, createWorkspace, type TestWorkspace } from '../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../testing/harness.ts'
import { makeLiveSurvey, submit } from '../../testing/makers.ts'
import type { AppContext } from '../context.ts'
import { systemRoute, tenantRoute } from './route.ts'
import { streamed } from '../bodies/streamed.ts'

// As an operator sees them at the server: those of the application, without the one that looks.
const CONNECTIONS = `
  select 1 from pg_stat_activity where application_name = 'earshot' and datname = current_database() and pid <> pg_backend_pid()`

let server: TestServer
let base: string
let owner: TestWorkspace
const order: string[] = []
const seen: number[] = []
const connections = async () => (await server.peek(CONNECTIONS)).length

const countRoute = tenantRoute({
  method: 'post',
  audit: { none: 'It is a test.' },
  path: '/count-connections',
  operationId: 'countConnections',
  summary: 'Connections while a request is served',
  tag: 'Test',
  response: { status: 200, schema: z.object({ connections: z.number() }) },
  async handler(scope) {
    await scope.read(async () => {})
    return { connections: await connections() }
  },
})

const streamRoute = systemRoute({
  method: 'get',
  path: '/test/stream',
  operationId: 'streamConnections',
  summary: 'Connections while an answer is streamed',
  tag: 'Test',
  response: { status: 200, contentType: 'text/plain' },
  async handler(system, { c }) {
    watchAnswer(c)
    return streamed(
      c,
      (async function* () {
        for (let n = 0; n < 3; n++) {
          await system.tx(async () => {})
          seen.push(await connections())
          yield `${n}\n`
        }
      })(),
      { 'Content-Type': 'text/plain' },
    )
  },
})

const plainRoute = systemRoute({
  method: 'get',
  path: '/test/plain',
  operationId: 'plainConnections',
  summary: 'A connection and a plain answer',
  tag: 'Test',
  response: { status: 200, contentType: 'text/plain' },
  async handler(system, { c }) {
    watchAnswer(c)
    await system.tx(async () => {})
    return c.text('done')
  },
})

const largeRoute = systemRoute({
  method: 'get',
  path: '/test/large',
  operationId: 'largeConnections',
  summary: 'A connection and an answer larger than the buffers of a socket',
  tag: 'Test',
  response: { status: 200, contentType: 'text/plain' },
  async handler(system, { c }) {
    watchAnswer(c)
    await system.tx(async () => {})
    return c.text('x'.repeat(16 * 1024 * 1024))
  },
})

function watchAnswer(c: AppContext): void {
  ;(c.env as unknown as { outgoing: { once(event: string, listener: () => void): void } }).outgoing.once('finish', () =>
    order.push('answered'),
  )
}

beforeAll(async () => {
  server = await startTestServer({
    connection: 'request',
    extraRoutes: [countRoute, streamRoute, plainRoute, largeRoute],
    onDispose: () => order.push('released'),
  })
  base = await server.listen()
  owner = await createWorkspace(server)
})
afterAll(() => server.close())

const send = (method: string, path: string, token?: string, headers: Record<string, string> = {}) =>
  fetch(base + path, { method, headers: { ...(token && { authorization: `Bearer ${token}` }), ...headers } })

test('readiness asks over a connection that ends with the request', async () => {
  await expect.poll(connections).toBe(0)
  expect((await send('GET', '/health/ready')).status).toBe(200)
  await expect.poll(connections).toBe(0)
})

test('a request is authenticated, counted, remembered and served over one connection, which ends with it', async () => {
  const { key } = await createApiKey(server, owner.token, [])
  const answer = await send('POST', '/v1/count-connections', key, { 'idempotency-key': 'once' })
  expect(answer.headers.get('ratelimit-remaining')).toBe('599')
  expect(await answer.json()).toEqual({ connections: 1 })
  await expect.poll(connections).toBe(0)
  expect((await send('POST', '/v1/count-connections', key)).headers.get('ratelimit-remaining')).toBe('598')
  await expect.poll(connections).toBe(0)
})

test('a capture leaves no connection behind, nor do the wakes that follow it, nor the metrics', async () => {
  const survey = await makeLiveSurvey(server, owner)
  await server.request('POST', '/v1/webhooks', {
    token: owner.token,
    body: { url: 'http://127.0.0.1:9/', events: ['response.completed'] },
  })
  await submit(server, survey, { answers: { q1: 9 } })
  await server.services.database.ping(2_000)
  await server.services.database.publish('earshot_test', ['x'])
  await server.services.bus.stop()
  await expect.poll(connections).toBe(0)
})

test('the connection is released after the answer has left, streamed or not', async () => {
  for (const path of ['/test/plain', '/test/stream']) {
    order.length = 0
    await (await send('GET', path)).text()
    await expect.poll(() => order).toEqual(['answered', 'released'])
    await expect.poll(connections).toBe(0)
  }
  expect(seen).toEqual([1, 1, 1])
})

test('a reader who goes away in the middle of a stream leaves no connection behind', async () => {
  order.length = 0
  const leave = new AbortController()
  const answer = await fetch(`${base}/test/stream`, { signal: leave.signal })
  await answer.body?.getReader().read()
  leave.abort()
  await expect.poll(() => order).toContain('released')
  await expect.poll(connections).toBe(0)
})

test('readers who never read hold no connection while theirs stays open', async () => {
  order.length = 0
  const { hostname, port } = new URL(base)
  const readers = Array.from({ length: 4 }, () => connect(Number(port), hostname).pause())
  for (const reader of readers) reader.write('GET /test/large HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(4))
  await expect.poll(() => order.length).toBeGreaterThanOrEqual(readers.length)
  await expect.poll(connections).toBe(0)
  expect(order).not.toContain('answered')
  for (const reader of readers) {
    expect(reader.readyState).toBe('open')
    reader.destroy()
  }
})
