import { readFile } from 'node:fs/promises'
import { Script } from 'node:vm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../testing/harness.ts'
import { callsOf, type ApiDocument } from './document.ts'
import { referencePage } from './page.ts'
import { samplesOf } from './samples.ts'

const MOST_BYTES = 400 * 1024

let server: TestServer
let document: ApiDocument
beforeAll(async () => {
  server = await startTestServer()
  document = JSON.parse(await readFile(new URL('../../../openapi.json', import.meta.url), 'utf8'))
})
afterAll(() => server.close())

const get = (path: string, headers: Record<string, string> = {}) =>
  server.app.fetch(new Request(`http://localhost${path}`, { headers }))

test('the reference shows every call and shape, and every link on it leads somewhere', async () => {
  const page = await (await get('/docs')).text()
  const ids = new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))
  for (const { operationId } of callsOf(document)) expect(ids).toContain(operationId)
  for (const name of Object.keys(document.components.schemas)) expect(ids).toContain(`shape-${name}`)
  const links = [...page.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id)
  expect(links.filter((id) => !ids.has(id ?? ''))).toEqual([])
})

test('the page and its files are small, come from this server alone, and are not sent twice', async () => {
  const page = await get('/docs', { 'accept-encoding': 'gzip, br' })
  expect(page.headers.get('content-security-policy')).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  )
  let bytes = (await page.arrayBuffer()).byteLength
  for (const path of ['/docs/reference.css', '/docs/reference.js']) {
    const file = await get(path, { 'accept-encoding': 'br' })
    expect(file.headers.get('content-encoding')).toBe('br')
    bytes += (await file.arrayBuffer()).byteLength
  }
  expect(bytes).toBeLessThan(MOST_BYTES)
  const again = await get('/docs', { 'if-none-match': page.headers.get('etag') ?? '' })
  expect(again.status).toBe(304)
})

test('each call has an example in curl, TypeScript that parses, and Python', () => {
  for (const call of callsOf(document)) {
    const [curl, typescript, python] = samplesOf(call)
    expect(curl?.code).toContain(`"$BASE${call.path}"`)
    expect(() => new Script(`async () => {${typescript?.code}}`), call.operationId).not.toThrow()
    expect(python?.code).toContain(`requests.${call.method}(`)
    expect(python?.code).not.toMatch(/\b(true|false|null)\b(?=,?\n)/)
  }
})

test('texts of the document are shown, not run', () => {
  const hostile = '<img src=x onerror=alert(1)> `</code><script>`'
  const page = [
    ...referencePage(
      {
        info: { title: hostile, version: hostile, description: hostile },
        tags: [{ name: hostile }],
        components: {
          schemas: { [hostile]: { description: hostile, properties: { [hostile]: { default: hostile } } } },
        },
        paths: {
          [hostile]: {
            post: {
              operationId: 'x',
              summary: hostile,
              description: hostile,
              tags: [hostile],
              parameters: [{ name: hostile, in: 'query', description: hostile, schema: { enum: [hostile] } }],
              requestBody: {
                content: { 'application/json': { example: { [hostile]: hostile }, schema: { type: hostile } } },
              },
              responses: { [hostile]: { description: hostile } },
            },
          },
        },
      },
      { style: '/s.css', script: '/s.js' },
    ),
  ].join('')
  expect(page).not.toMatch(/<img|<script>/)
})
