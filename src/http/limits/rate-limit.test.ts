import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApiKey, createWorkspace } from '../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../testing/harness.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

test('the 3,001st call of a session within a minute is 429, and another session of the same person still has its 3,000', async () => {
  const { token, email, password } = await createWorkspace(server)
  const call = () => server.request('GET', '/v1/permissions', { token })
  const first = await call()
  expect(first.headers.get('ratelimit-limit')).toBe('3000')
  expect(first.headers.get('ratelimit-remaining')).toBe('2999')
  expect(Number(first.headers.get('ratelimit-reset'))).toBeGreaterThan(0)
  await server.peek(`update rate_limits set points = 2995 where key ~ '^session:'`)
  const last = await Promise.all(Array.from({ length: 5 }, call))
  expect(last.every(({ status }) => status === 200)).toBe(true)
  const refused = await call()
  expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
  expect(refused.headers.get('ratelimit-remaining')).toBe('0')
  expect(refused.headers.get('retry-after')).toBe(String(refused.body.retry_after))
  expect(refused.body.retry_after).toBeGreaterThan(0)

  const again = await server.request('POST', '/public/sessions', { body: { email, password } })
  const other = await server.request('GET', '/v1/permissions', { token: again.body.token })
  expect(other.status).toBe(200)
  expect(other.headers.get('ratelimit-remaining')).toBe('2999')
})

test('an API key has 600 calls a minute', async () => {
  const { key } = await createApiKey(server, (await createWorkspace(server)).token, [])
  const { headers } = await server.request('GET', '/v1/permissions', { token: key })
  expect(headers.get('ratelimit-limit')).toBe('600')
  expect(headers.get('ratelimit-remaining')).toBe('599')
})
