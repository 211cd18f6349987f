import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../testing/harness.ts'
import vectors from '../vectors/cors.json' with { type: 'json' }

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ env: { CORS_ORIGINS: vectors.CORS_ORIGINS } })
})
afterAll(() => server.close())

const preflight = (origin: string, headers = 'authorization,content-type') =>
  server.request('OPTIONS', '/v1/me', {
    headers: { origin, 'access-control-request-method': 'PATCH', 'access-control-request-headers': headers },
  })

describe('an origin', () => {
  test.each(vectors.reflect)('%s is reflected, without credentials', async (origin) => {
    const asked = await preflight(origin)
    expect(asked.status).toBe(204)
    for (const answer of [
      asked,
      await server.request('GET', '/health', { headers: { origin } }),
      await server.request('GET', '/v1/me', { headers: { origin } }),
    ]) {
      expect(answer.headers.get('access-control-allow-origin')).toBe(origin)
      expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
      expect(answer.headers.get('vary')?.toLowerCase()).toContain('origin')
    }
  })

  test.each(vectors.deny)('%s is not reflected', async (origin) => {
    for (const answer of [await preflight(origin), await server.request('GET', '/health', { headers: { origin } })]) {
      expect(answer.headers.get('access-control-allow-origin')).toBeNull()
    }
  })
})

test('only authorization and content-type are allowed request headers', async () => {
  const answer = await preflight('http://localhost:3000', 'authorization,content-type,idempotency-key,x-tenant')
  expect(
    answer.headers
      .get('access-control-allow-headers')
      ?.split(',')
      .map((name) => name.trim().toLowerCase())
      .sort(),
  ).toEqual(['authorization', 'content-type'])
})

test('an unknown path and an unknown method carry the headers of every other answer, and scripts may read what they need', async () => {
  const exposed = ['ETag', 'Retry-After', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset', 'X-Request-Id']
  for (const [method, path] of [
    ['GET', '/nowhere'],
    ['GET', '/v1/nowhere'],
    ['POST', '/health'],
    ['GET', '/health'],
  ] as const) {
    const answer = await server.request(method, path, { headers: { origin: 'http://localhost:3000' } })
    expect(answer.headers.get('access-control-allow-origin')).toBe('http://localhost:3000')
    expect(answer.headers.get('access-control-expose-headers')?.split(', ')).toEqual(exposed)
    expect(answer.headers.get('vary')).toContain('Origin')
    expect(answer.headers.get('x-request-id')).toMatch(/^req_/)
  }
})
