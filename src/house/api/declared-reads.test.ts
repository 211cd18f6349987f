import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { systemRoute } from '../../http/routes/route.ts'
import { createWorkspace } from '../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../testing/harness.ts'

const probe = (
  path: string,
  read: (request: { header(name: string): unknown; query(name: string): unknown; url: string }) => unknown,
  query?: z.ZodObject,
) =>
  systemRoute({
    method: 'get',
    path,
    operationId: path.slice(1),
    summary: 'For a test',
    tag: 'Test',
    headers: ['accept'],
    ...(query && { query, readsQuery: true }),
    response: { status: 200, contentType: 'text/plain' },
    handler: async (_system, { c }) => c.text(String(read(c.req))),
  })

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({
    extraRoutes: [
      probe('/declared-header', (request) => request.header('Accept')),
      probe('/undeclared-header', (request) => request.header('X-Secret')),
      probe('/undeclared-query', (request) => request.query('a')),
      probe('/undeclared-search', (request) => request.url),
      probe('/declared-search', (request) => new URL(request.url).search, z.looseObject({ a: z.string().optional() })),
    ],
  })
})
afterAll(() => server.close())

test('a handler that reads what its route does not declare fails in every test', async () => {
  const get = (path: string) => server.request('GET', path, { headers: { accept: 'text/html', 'x-secret': 'x' } })
  expect(await get('/declared-header')).toMatchObject({ status: 200, text: 'text/html' })
  expect(await get('/declared-search?a=1')).toMatchObject({ status: 200, text: '?a=1' })
  expect(await get('/undeclared-header')).toMatchObject({ status: 500 })
  expect(await get('/undeclared-query?a=1')).toMatchObject({ status: 500 })
  expect((await get('/undeclared-search?a=1')).text).not.toContain('a=1')
})

interface Operation {
  operationId: string
  parameters?: Array<{ name: string; in: string }>
  requestBody?: { description: string; content: Record<string, { schema: object }> }
  responses: Record<string, { $ref?: string; content?: Record<string, { schema: { $ref?: string; type?: string } }> }>
}

test('the document says what each route declares: headers, query, every media type of its body and its limit', async () => {
  const document = JSON.parse(await readFile(new URL('../../../openapi.json', import.meta.url), 'utf8')) as {
    paths: Record<string, Record<string, Operation>>
    components: { responses: Operation['responses'] }
  }
  const operations = new Map(
    Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).map((operation) => [operation.operationId, operation]),
    ),
  )
  for (const route of server.app.routes.filter(({ tag }) => tag !== 'Test')) {
    const operation = operations.get(route.operationId)
    const named = (place: string) =>
      (operation?.parameters ?? []).filter((parameter) => parameter.in === place).map(({ name }) => name)
    expect(named('header'), route.operationId).toEqual([
      ...(route.idempotent ? ['Idempotency-Key'] : []),
      ...route.headers,
    ])
    expect(named('query'), route.operationId).toEqual(
      Object.keys((route.query as z.ZodObject | undefined)?.shape ?? {}),
    )
    expect(Object.keys(operation?.requestBody?.content ?? {}), route.operationId).toEqual([
      ...(route.body ? ['application/json'] : Object.keys(route.rawBody ?? {})),
      ...(route.takesForm ? ['application/x-www-form-urlencoded'] : []),
    ])
    if (operation?.requestBody) expect(operation.requestBody.description).toMatch(/^At most \d+ [KM]iB\.$/)
  }
  const shared = operations.get('exportSurvey')?.responses[410]?.$ref?.split('/').at(-1) ?? ''
  const retired = document.components.responses[shared]
  expect(Object.keys(retired?.content ?? {})).toEqual(['application/problem+json'])
  expect(JSON.stringify(retired)).toContain('RetiredExport')
})

test('the retired export answers as it is described', async () => {
  const { token } = await createWorkspace(server)
  const answer = await server.request('GET', '/v1/surveys/any/export', { token })
  const { RetiredExport } = await import('../../features/answers/reporting/report/reporting.schema.ts')
  expect(answer.status).toBe(410)
  expect(RetiredExport.strict().safeParse(answer.body).error).toBeUndefined()
})

test('the document says formats, patterns of names, and what excludes what', async () => {
  const { components } = JSON.parse(await readFile(new URL('../../../openapi.json', import.meta.url), 'utf8'))
  const { SignIn, Invite, LocalizedText, ApiKeyWithSecret, CreateEmailTemplate } = components.schemas
  expect(SignIn.properties.email).toMatchObject({ format: 'email', maxLength: 254 })
  expect(Invite.description).toContain('either `recipients` or `segment_id`')
  expect(LocalizedText.anyOf[1].$ref).toBe('#/components/schemas/LocalizedTextMap')
  expect(components.schemas.LocalizedTextMap).toMatchObject({
    propertyNames: { pattern: expect.stringContaining('A-Za-z') },
    maxProperties: 50,
  })
  expect(CreateEmailTemplate.properties.content).toMatchObject({
    minProperties: 1,
    maxProperties: 40,
    propertyNames: { pattern: expect.any(String) },
  })
  expect(ApiKeyWithSecret.properties.key.pattern).toContain('ear_live_')
})
