import { readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { EVENT_TYPES } from '../../features/delivery/events/event-types.ts'
import { listFiles, readText } from '../../../scripts/project.ts'
import { startTestServer, type TestServer } from '../../testing/harness.ts'
import { PROBLEM_CODES } from '../problems/problem-codes.ts'
import { VERSION } from '../../version.ts'
import { isNull, tagOf, type Document, type Operation, type Schema } from './schema.ts'
import { bare, folded } from './shapes.ts'

const MOST_BYTES = 120 * 1024

let server: TestServer
let document: Document & { info: { version: string }; security: unknown }
let operations: Array<Operation & { path: string; description: string; security?: unknown; 'x-pagination'?: unknown }>
const schemas: Array<{ path: string; schema: Schema }> = []

beforeAll(async () => {
  server = await startTestServer()
  document = JSON.parse(await readFile(new URL('../../../openapi.json', import.meta.url), 'utf8'))
  operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.values(methods).map((operation) => ({ ...operation, path }) as (typeof operations)[number]),
  )
  collect(document, '')
})
afterAll(() => server.close())

function collect(node: unknown, path: string): void {
  if (typeof node !== 'object' || node === null || /\/(example|default|x-[a-z-]+)$/.test(path)) return
  const isSchema =
    /\/(schema|items|additionalProperties|propertyNames|(properties|schemas)\/[^/]+|(any|one|all)Of\/\d+)$/
  if (isSchema.test(path)) schemas.push({ path, schema: node })
  for (const [key, inner] of Object.entries(node)) collect(inner, `${path}/${key}`)
}
const where = (wrong: (schema: Schema) => boolean) =>
  schemas.filter(({ schema }) => wrong(schema)).map(({ path }) => path)
const resolve = (schema: Schema): Schema =>
  schema.$ref ? (document.components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}) : schema

test('values and patterns are those of every language: no control character, no flag, no look-around', () => {
  expect(schemas.length).toBeGreaterThan(1000)
  expect(where(({ enum: values = [] }) => values.some((value) => /\p{Cc}/u.test(String(value))))).toEqual([])
  expect(where(({ pattern = '' }) => /^\/|\/[a-z]*$|\\[pPuk]|\(\?(?!:)/.test(pattern))).toEqual([])
  expect(where(({ enum: values = [] }) => values.length === 1)).toEqual([])
})

test('each branch of a union is a named shape, and objects that differ by a constant say so', () => {
  const branches = (schema: Schema) => schema.anyOf ?? schema.oneOf ?? []
  expect(where((schema) => branches(schema).some((branch) => !branch.$ref && !isNull(branch)))).toEqual([])
  const tagged = schemas.filter(({ schema }) => tagOf(branches(schema).map(resolve)))
  for (const { schema, path } of tagged) {
    expect(schema.discriminator, path).toBeDefined()
    expect(Object.keys(schema.discriminator?.mapping ?? {}), path).toHaveLength(schema.oneOf?.length ?? 0)
  }
  const { Question, Action, AlertTrigger, Destination } = document.components.schemas
  expect([Question, Action, AlertTrigger, Destination].map((union) => union?.discriminator?.propertyName)).toEqual([
    'type',
    'action',
    'on',
    'type',
  ])
})

test('equal shapes are one component, with names that stay apart in every case and number', () => {
  const isShape = ({ properties, anyOf, oneOf }: Schema) => properties ?? anyOf ?? oneOf
  const inline = schemas.filter(({ path, schema }) => isShape(schema) && !/^\/components\/schemas\/\w+$/.test(path))
  const twice = [...Map.groupBy(inline, ({ schema }) => JSON.stringify(bare(schema))).values()].filter(
    (group) => group.length > 1,
  )
  expect(twice.map((group) => group.map(({ path }) => path))).toEqual([])
  const names = Object.keys(document.components.schemas)
  expect(new Set(names.map(folded)).size).toBe(names.length)
})

test('no default is an object, and what has one is not required in a body', () => {
  expect(where(({ default: value }) => typeof value === 'object' && value !== null)).toEqual([])
  expect(
    where(({ properties = {}, required = [] }) => required.some((name) => properties[name]?.default !== undefined)),
  ).toEqual([])
})

test('each operation says who may call it, what it means, its headers, its failures and its pages', () => {
  expect(document.security).toEqual([{ bearer: [] }])
  expect(document.info.version).toBe(VERSION)
  for (const { name, description } of document.tags) {
    expect(description, name).toMatch(/^[A-Z].*\.$/)
    expect(name).toMatch(/^[A-Za-z]+( [A-Za-z]+)*$/)
  }
  for (const { operationId, path, description, security, responses, parameters = [], ...more } of operations) {
    expect(description, operationId).toMatch(/\w{3}/)
    expect(security, operationId).toEqual(path.startsWith('/v1/') ? undefined : [])
    expect(responses['default'], operationId).toBeDefined()
    for (const [status, answer] of Object.entries(responses)) {
      if (/^([45]|d)/.test(status)) expect(answer.$ref, `${operationId} ${status}`).toContain('/responses/')
      const found = answer.$ref ? document.components.responses?.[answer.$ref.split('/').at(-1) ?? ''] : answer
      const headers = Object.keys(found?.headers ?? {})
      expect(headers, `${operationId} ${status}`).toContain('X-Request-Id')
      if (path.startsWith('/v1/')) expect(headers).toContain('RateLimit-Remaining')
      if (status === '429' || status === '503') expect(headers).toContain('Retry-After')
    }
    const isPaged = parameters.some(({ name }) => name === 'cursor')
    expect(more['x-pagination'] !== undefined, operationId).toBe(isPaged)
  }
})

test('the events are in it as the catalogue lists them', () => {
  expect(Object.keys(document.webhooks ?? {})).toEqual([...EVENT_TYPES])
  for (const { post } of Object.values(document.webhooks ?? {})) {
    expect(post?.parameters?.map(({ name }) => name)).toContain('webhook-signature')
    expect(Object.keys(post?.responses ?? {})).toEqual(['2XX'])
  }
})

test('every code of a problem is in the document and in docs/problems.md, and the product sends each', async () => {
  const code = document.components.schemas['Problem']?.properties?.['code'] as Record<string, unknown>
  expect(code['x-extensible-enum']).toEqual(PROBLEM_CODES)
  const page = await readText('docs/problems.md')
  const files = (await listFiles()).filter(
    (path) => /^src\/.*\.ts$/.test(path) && !/test\.ts$|problem-codes/.test(path),
  )
  const text = (await Promise.all(files.map((path) => readText(path)))).join('\n')
  expect(PROBLEM_CODES.filter((each) => !page.includes(`| \`${each}\` |`))).toEqual([])
  expect(PROBLEM_CODES.filter((each) => !text.includes(`'${each}'`))).toEqual([])
})

test('the document is served small and compressed, and not sent twice', async () => {
  const get = (headers: Record<string, string>) =>
    server.app.fetch(new Request('http://localhost/openapi.json', { headers }))
  const plain = await get({})
  const text = await plain.text()
  expect(text).toBe(JSON.stringify(document))
  expect(plain.headers.get('cache-control')).toBe('no-cache')
  for (const encoding of ['gzip', 'br']) {
    const answer = await get({ 'accept-encoding': encoding })
    expect(answer.headers.get('content-encoding')).toBe(encoding)
    const bytes = Buffer.from(await answer.arrayBuffer())
    expect(bytes.length).toBeLessThan(MOST_BYTES)
    if (encoding === 'gzip') expect(String(gunzipSync(bytes))).toBe(text)
  }
  const again = await get({ 'if-none-match': `W/${plain.headers.get('etag')}` })
  expect([again.status, await again.text()]).toEqual([304, ''])
})
