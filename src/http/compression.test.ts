import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { z } from 'zod'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorkspace, type TestWorkspace } from '../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../testing/harness.ts'
import { NPS_SURVEY } from '../testing/makers.ts'
import { systemRoute } from './routes/route.ts'

const LONG_SURVEY = {
  ...NPS_SURVEY,
  custom_fields: Array.from({ length: 20 }, (_, n) => `a_field_with_a_long_name_${n}`),
}

let server: TestServer
let workspace: TestWorkspace
beforeAll(async () => {
  const large = systemRoute({
    method: 'get',
    path: '/large',
    operationId: 'large',
    summary: 'Answers with a large list',
    tag: 'Test',
    query: z.object({ rows: z.coerce.number() }),
    response: { status: 200, schema: z.object({ data: z.array(z.string()) }) },
    handler: async (_system, { query: { rows } }) => ({
      data: Array.from({ length: rows }, (_, n) => `Grüße ${n} ${'é'.repeat(5_000)}`),
    }),
  })
  const stream = systemRoute({
    method: 'get',
    path: '/stream',
    operationId: 'stream',
    summary: 'Streams',
    tag: 'Test',
    response: { status: 200, contentType: 'text/event-stream' },
    handler: async (_system, { c }) => c.body('data: x\n\n'.repeat(500), 200, { 'content-type': 'text/event-stream' }),
  })
  server = await startTestServer({ extraRoutes: [large, stream] })
  workspace = await createWorkspace(server)
})
afterAll(() => server.close())

async function get(path: string, accept: string | null, headers: Record<string, string> = {}) {
  const response = await server.app.fetch(
    new Request(`http://localhost${path}`, {
      headers: {
        authorization: `Bearer ${workspace.token}`,
        ...(accept !== null && { 'accept-encoding': accept }),
        ...headers,
      },
    }),
  )
  const bytes = Buffer.from(await response.arrayBuffer())
  const coding = response.headers.get('content-encoding')
  const plain = coding === 'br' ? brotliDecompressSync(bytes) : coding === 'gzip' ? gunzipSync(bytes) : bytes
  return { status: response.status, headers: response.headers, bytes, coding, text: plain.toString() }
}

test.each([
  ['br', 'br'],
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['gzip, deflate, br, zstd', 'br'],
  ['GZIP;q=1, BR;q=0.5', 'gzip'],
  ['br;q=0, *', 'gzip'],
  ['*;q=0.1', 'br'],
  ['*;q=0', null],
  ['identity', null],
  ['identity, br;q=0.5', null],
  ['br;q=0, gzip;q=0', null],
  ['identity;q=0', null],
  ['deflate', null],
  ['br;q=nonsense', null],
  [',;q,;;=,', null],
  ['', null],
  [null, null],
])('Accept-Encoding %j is answered with %j, and the JSON is the same', async (accept, coding) => {
  const plain = await get('/v1/roles', null)
  const answer = await get('/v1/roles', accept)
  expect(plain.bytes.length).toBeGreaterThan(1024)
  expect(answer.coding).toBe(coding)
  expect(answer.text).toBe(plain.text)
  expect(answer.headers.get('vary')).toMatch(/Accept-Encoding/)
  expect(answer.headers.get('content-type')).toBe('application/json')
  if (coding !== null) {
    expect(answer.bytes.length).toBeLessThan(plain.bytes.length / 2)
    expect(answer.headers.get('content-length')).toBe(String(answer.bytes.length))
  }
})

test('a header of many values is read up to its limit, and answered', async () => {
  expect((await get('/v1/roles', `${'x;q=0.1,'.repeat(1_500)}br`)).coding).toBeNull()
})

test('an answer below 1 KiB, a stream and an answer without a body are sent as they are', async () => {
  expect((await get('/v1/surveys', 'br')).coding).toBeNull()
  expect((await get('/stream', 'br')).coding).toBeNull()
  expect((await get('/health', 'br')).coding).toBeNull()
})

test('a large answer is compressed piece by piece while the event loop turns', async () => {
  let turns = 0
  const counting = setInterval(() => (turns += 1), 0)
  const answer = await get('/large?rows=2000', 'br')
  clearInterval(counting)
  expect(answer.coding).toBe('br')
  expect(JSON.parse(answer.text).data).toHaveLength(2_000)
  expect(turns).toBeGreaterThan(5)
})

test('a problem of many issues is compressed too', async () => {
  const body = JSON.stringify({ ...NPS_SURVEY, questions: Array.from({ length: 60 }, () => ({ type: 'wrong' })) })
  const response = await server.app.fetch(
    new Request('http://localhost/v1/surveys', {
      method: 'POST',
      body,
      headers: {
        authorization: `Bearer ${workspace.token}`,
        'content-type': 'application/json',
        'accept-encoding': 'gzip',
      },
    }),
  )
  expect(response.status).toBe(400)
  expect(response.headers.get('content-encoding')).toBe('gzip')
  expect(JSON.parse(gunzipSync(Buffer.from(await response.arrayBuffer())).toString()).issues.length).toBeGreaterThan(10)
})

test('the ETag differs by coding, and each of them is current until the survey changes', async () => {
  const { body } = await server.request('POST', '/v1/surveys', { token: workspace.token, body: LONG_SURVEY })
  const tags = []
  for (const coding of ['identity', 'br', 'gzip'])
    tags.push((await get(`/v1/surveys/${body.id}`, coding)).headers.get('etag') ?? '')
  expect(tags).toEqual(['"1"', '"1-br"', '"1-gzip"'])
  const change = (ifMatch: string) =>
    server.request('PATCH', `/v1/surveys/${body.id}`, {
      token: workspace.token,
      body: { name: `Changed by ${ifMatch}` },
      headers: { 'if-match': ifMatch },
    })
  expect((await change(tags[1] ?? '')).status).toBe(200)
  for (const tag of tags) expect((await change(tag)).status).toBe(412)
})

test('a file that the caller has in a coding is 304 with the tag of that coding', async () => {
  const { body } = await server.request('POST', '/v1/surveys', { token: workspace.token, body: LONG_SURVEY })
  const path = `/v1/surveys/${body.id}/definition`
  const first = await get(path, 'br')
  expect(first.coding).toBe('br')
  const etag = first.headers.get('etag') ?? ''
  const again = await get(path, 'br', { 'if-none-match': etag })
  expect(again).toMatchObject({ status: 304, text: '' })
  expect(again.headers.get('etag')).toBe(etag)
})

test('a repeat under an idempotency key is compressed, and the same', async () => {
  const create = async (accept: string) => {
    const response = await server.app.fetch(
      new Request('http://localhost/v1/surveys', {
        method: 'POST',
        body: JSON.stringify(LONG_SURVEY),
        headers: {
          authorization: `Bearer ${workspace.token}`,
          'content-type': 'application/json',
          'accept-encoding': accept,
          'idempotency-key': 'one',
        },
      }),
    )
    return { response, bytes: Buffer.from(await response.arrayBuffer()) }
  }
  const [first, again] = [await create('br'), await create('gzip')]
  expect(again.response.headers.get('idempotency-replayed')).toBe('true')
  expect(gunzipSync(again.bytes).equals(brotliDecompressSync(first.bytes))).toBe(true)
})

test('over a connection, answers arrive whole, and a HEAD has the headers alone', async () => {
  const base = await server.listen()
  const headers = { authorization: `Bearer ${workspace.token}`, 'accept-encoding': 'br' }
  const answer = await fetch(`${base}/large?rows=300`, { headers })
  expect(answer.headers.get('content-encoding')).toBe('br')
  expect((await answer.json()) as object).toMatchObject({ data: { length: 300 } })
  const roles = await fetch(`${base}/v1/roles`, { headers })
  expect(((await roles.json()) as { data: unknown[] }).data.length).toBeGreaterThan(5)
  const head = await fetch(`${base}/v1/roles`, { method: 'HEAD', headers })
  expect(head.status).toBe(200)
  expect(await head.text()).toBe('')
})
