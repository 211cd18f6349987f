import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorkspace } from '../src/testing/fixtures.ts'
import { startTestServer, type TestServer } from '../src/testing/harness.ts'
import { publishSurvey } from '../src/testing/survey-fixtures.ts'
import { FIVE_QUESTIONS, weigh, type Weight } from './testing/weight.ts'

let server: TestServer
let base: string
let id: string
beforeAll(async () => {
  server = await startTestServer()
  const { token } = await createWorkspace(server)
  id = await publishSurvey(server, token, FIVE_QUESTIONS)
  base = await server.listen()
})
afterAll(() => server.close())

test('a survey of five questions weighs at most 30 KB, in two requests', async () => {
  const page = await weigh(`${base}/public/s/${id}`)
  const scripts = [...page.text.matchAll(/ src="(\/assets\/[^"]+)"/g)].map(([, path]) => path)
  expect(scripts).toHaveLength(1)
  expect(page.text).not.toMatch(/<link|@import|url\(/)
  expect(page.bytes + (await weigh(`${base}${scripts[0]}`)).bytes).toBeLessThanOrEqual(30 * 1024)
})

test('the embed script weighs at most 6 KB, and its stub half a KB', async () => {
  expect((await weigh(`${base}/public/embed.js`)).bytes).toBeLessThanOrEqual(6 * 1024)
  const demo = await weigh(`${base}/docs/embed`)
  const stub = /<script>(window\.voc=[^<]+)<\/script>/.exec(demo.text)?.[1] ?? ''
  expect(stub).toContain('arguments')
  expect(stub.length).toBeLessThanOrEqual(512)
})

test('a built file is kept for good, compressed as the caller reads it, and not sent twice', async () => {
  const path = /src="(\/assets\/[^"]+)"/.exec((await weigh(`${base}/public/s/${id}`)).text)?.[1]
  const ask = (headers: Record<string, string>) => server.app.fetch(new Request(`${base}${path}`, { headers }))
  const plain = await ask({})
  expect(plain.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  const bytes = Buffer.from(await plain.arrayBuffer())
  for (const [encoding, decode] of [
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ] as const) {
    const packed = await ask({ 'accept-encoding': `${encoding};q=0.5, identity;q=0.2` })
    expect(packed.headers.get('content-encoding')).toBe(encoding)
    expect(packed.headers.get('vary')).toContain('Accept-Encoding')
    expect(decode(Buffer.from(await packed.arrayBuffer())).equals(bytes)).toBe(true)
    const etag = packed.headers.get('etag') ?? ''
    expect((await ask({ 'accept-encoding': encoding, 'if-none-match': etag })).status).toBe(304)
    expect((await ask({ 'if-none-match': etag })).status).toBe(200)
  }
  expect((await ask({ 'accept-encoding': 'br;q=0' })).headers.get('content-encoding')).toBeNull()
  const missing: Weight = await weigh(`${base}/assets/web/respondent-none.js`)
  expect(missing.status).toBe(404)
})
