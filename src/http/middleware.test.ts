import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../testing/harness.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

test('health answers without building a single port', async () => {
  const built: string[][] = []
  const own = await startTestServer({ onDispose: (container) => built.push(container.built()) })
  const health = await own.request('GET', '/health')
  expect(health).toMatchObject({ status: 200, body: { ok: true, service: 'earshot' } })
  expect((await own.request('GET', '/health/ready')).status).toBe(200)
  expect(built).toEqual([[], ['database']])
  await own.close()
})

test('an unknown path, an unknown method and a missing token are problems with a request id', async () => {
  for (const [method, path, status] of [
    ['GET', '/nowhere', 404],
    ['POST', '/health', 405],
    ['GET', '/v1/anything', 401],
  ] as const) {
    const answer = await server.request(method, path)
    expect(answer.status).toBe(status)
    expect(answer.headers.get('content-type')).toBe('application/problem+json')
    expect(answer.body).toMatchObject({ status, request_id: answer.headers.get('x-request-id') })
  }
})
