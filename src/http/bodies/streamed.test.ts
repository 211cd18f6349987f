import { request as httpRequest } from 'node:http'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { sql } from '../../platform/database/database.ts'
import { DatabaseReleasedError } from '../../platform/database/database-adapter.ts'
import type { PortContainer } from '../../platform/ports/ports.ts'
import type { SystemScope } from '../../platform/scope.ts'
import { startTestServer, type TestServer } from '../../testing/harness.ts'
import type { AppContext } from '../context.ts'
import { systemRoute } from '../routes/route.ts'
import { streamed } from './streamed.ts'

const CHUNK = 'x'.repeat(64 * 1024)

let server: TestServer
let url: string
let disposed: PortContainer[]
let system: SystemScope | null
let chunks: (scope: SystemScope) => AsyncGenerator<string>
let trace: string[]

const declare = (path: string, handler: (scope: SystemScope, input: { c: AppContext }) => Promise<Response>) =>
  systemRoute({
    method: 'get',
    path,
    operationId: path.slice(1),
    summary: '',
    tag: 'Test',
    response: { status: 200, contentType: 'text/plain' },
    handler,
  })

beforeAll(async () => {
  server = await startTestServer({
    onDispose: (container) => {
      disposed.push(container)
      trace.push('disposed')
    },
    extraRoutes: [
      declare('/streamed', async (scope, { c }) => {
        system = scope
        return streamed(c, chunks(scope), { 'Content-Type': 'text/plain' })
      }),
      declare('/plain', async (scope, { c }) => {
        system = scope
        await ping(scope)
        return c.text('done')
      }),
    ],
  })
  url = await server.listen()
})
afterAll(() => server.close())
beforeEach(() => {
  disposed = []
  trace = []
  system = null
})

test('an ordinary answer leaves after its ports are disposed of', async () => {
  const answer = await server.request('GET', '/plain')
  expect(answer.text).toBe('done')
  expect(disposed.map((container) => container.built())).toEqual([['database']])
  await expect(ping(system)).rejects.toThrow(DatabaseReleasedError)
})

test('ports live until a streamed body has ended, and not longer', async () => {
  chunks = async function* (scope) {
    for (let n = 0; n < 3; n++) {
      await ping(scope)
      trace.push(`chunk ${n}`)
      yield `${n}`
    }
  }
  const response = await server.app.fetch(new Request('http://localhost/streamed'))
  expect(disposed).toEqual([])
  await ping(system)
  expect(await response.text()).toBe('012')
  await expect.poll(() => trace).toEqual(['chunk 0', 'chunk 1', 'chunk 2', 'disposed'])
  await expect(ping(system)).rejects.toThrow(DatabaseReleasedError)
})

test('over a socket the ports end with the body as well', async () => {
  chunks = async function* (scope) {
    await ping(scope)
    yield 'first '
    await ping(scope)
    yield 'last'
  }
  expect(await (await fetch(`${url}/streamed`)).text()).toBe('first last')
  await expect.poll(() => disposed.length).toBe(1)
})

test('a client that goes away ends the body and the ports, after the chunk that was being made', async () => {
  const gone = Promise.withResolvers<void>()
  chunks = async function* (scope) {
    try {
      for (;;) {
        yield CHUNK
        await ping(scope)
      }
    } finally {
      await ping(scope)
      trace.push('ended')
      gone.resolve()
    }
  }
  const client = httpRequest(
    `${url}/streamed`,
    (response) => void response.once('data', () => response.destroy()),
  ).end()
  client.on('error', () => {})
  await gone.promise
  await expect.poll(() => trace).toEqual(['ended', 'disposed'])
})

test('a body that fails half-way cuts the answer and disposes of the ports', async () => {
  chunks = async function* () {
    yield 'half'
    throw new Error('the rest cannot be read')
  }
  await expect(fetch(`${url}/streamed`).then((response) => response.text())).rejects.toThrow()
  await expect.poll(() => disposed.length).toBe(1)
  const answer = await server.app.fetch(new Request('http://localhost/streamed'))
  await expect(answer.text()).rejects.toThrow('cut off')
})

test('HEAD of a streamed route starts no body', async () => {
  chunks = async function* () {
    trace.push('started')
    yield 'never'
  }
  const response = await fetch(`${url}/streamed`, { method: 'HEAD' })
  expect(response.status).toBe(200)
  expect(trace).toEqual(['disposed'])
})

async function ping(scope: SystemScope | null): Promise<void> {
  await scope?.tx((tx) => tx.many(sql`select 1`))
}
