import { z } from 'zod'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../platform/database/database.ts'
import { createWorkspace } from '../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../testing/harness.ts'
import { tenantRoute } from './route.ts'

const answer = { operationId: 'sleep', summary: 'A slow look-up', tag: 'Test' } as const
const response = { status: 200, schema: z.object({}) } as const
const sleepRoute = tenantRoute({
  ...answer,
  method: 'get',
  path: '/test-sleep',
  response,
  async handler(scope) {
    await scope.read((tx) => tx.many(sql`select pg_sleep(20)`)).catch((error: Error) => ended.resolve(error.cause))
    return {}
  },
})
const changeRoute = tenantRoute({
  ...answer,
  operationId: 'sleepAndChange',
  method: 'post',
  path: '/test-change',
  audit: { none: 'It is a test.' },
  response,
  async handler(scope) {
    await scope.read((tx) => tx.many(sql`select pg_sleep(0.5)`))
    changed.resolve()
    return {}
  },
})
const ended = Promise.withResolvers<unknown>()
const changed = Promise.withResolvers<void>()

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ extraRoutes: [sleepRoute, changeRoute] })
})
afterAll(() => server.close())

test('a look-up ends when its caller hangs up, and a call that changes something goes on', async () => {
  const base = await server.listen()
  const { token } = await createWorkspace(server)
  const running = async (text: string) => {
    const rows = await server.peek(
      `select 1 from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and state = 'active'
        and query like '%${text}%'`,
    )
    return rows.length
  }
  const hangUp = async (method: string, path: string, text: string) => {
    const gone = new AbortController()
    const asked = fetch(base + path, { method, headers: { authorization: `Bearer ${token}` }, signal: gone.signal })
    await expect.poll(() => running(text)).toBe(1)
    gone.abort()
    await expect(asked).rejects.toThrow()
  }
  await hangUp('GET', '/v1/test-sleep', 'pg_sleep(20)')
  expect(await ended.promise).toMatchObject({ message: 'canceling statement due to user request' })
  await hangUp('POST', '/v1/test-change', 'pg_sleep(0.5)')
  await changed.promise
})
