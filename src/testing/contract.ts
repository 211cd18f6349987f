import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Route } from '../http/route.ts'
import { formatId, ID_PREFIXES, newId, type IdKind } from '../platform/ids.ts'
import { PERMISSIONS } from '../platform/permissions.ts'
import { createApiKey, createWorkspace, type TestWorkspace } from './fixtures.ts'
import { startTestServer, type TestServer } from './harness.ts'
import { makeId, makeText } from './makers.ts'
import { features } from '../features.ts'

export interface ContractOptions {
  engine: 'pg' | 'pglite'
  /** Random requests for each route. */
  fuzzRuns: number
}

const SEED = 20_261_121
const routes = features.flatMap((feature) => feature.routes ?? [])
const title = (route: Route) => `${route.method.toUpperCase()} ${route.path}`
const each = (list: Route[]) => list.map((route) => [title(route), route] as const)
const matcherOf = (route: Route) => new RegExp(`^${route.path.replace(/:\w+(\{[^}]*\})?/g, '[^/]+')}$`)
const idParams = (route: Route) =>
  Object.entries(route.params).filter((entry): entry is [string, IdKind] => entry[1] !== 'text')

/**
 * The guarantees of every route to every caller. Routes come from the features, so a new one is covered at once; a new
 * kind of id needs a line in `makers.ts`.
 */
export function contractSuite({ engine, fuzzRuns }: ContractOptions): void {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer({ engine, env: { TRUSTED_PROXIES: '127.0.0.1/32' } })
  }, 120_000)
  afterAll(() => server.close())

  let callers = 0
  // A new address each time, because limits by address are not tested here.
  const elsewhere = () => ({ 'x-forwarded-for': `203.0.${(callers += 1) >> 8}.${callers & 255}` })

  async function send(
    route: Route,
    path: string,
    options: { token?: string | undefined; body?: string | Uint8Array | undefined; headers?: Record<string, string> },
  ) {
    const query = path.includes('?') ? '' : `?${new URLSearchParams(route.exampleQuery).toString()}`
    const request = new Request(`http://localhost${path}${query}`, {
      method: route.method.toUpperCase(),
      headers: {
        ...elsewhere(),
        ...(route.body && options.body !== undefined && { 'content-type': 'application/json' }),
        ...(options.token !== undefined && { authorization: `Bearer ${options.token}` }),
        ...options.headers,
      },
      ...(options.body !== undefined && route.method !== 'get' && { body: options.body as string }),
    })
    const response = await server.app.fetch(request)
    const text = await response.text()
    const isJson = /json/.test(response.headers.get('content-type') ?? '')
    return { status: response.status, headers: response.headers, text, body: isJson && text ? JSON.parse(text) : null }
  }
  const example = (route: Route) => (route.body ? JSON.stringify(route.example) : undefined)
  const tokenFor = (route: Route, workspace: TestWorkspace) => (route.kind === 'tenant' ? workspace.token : undefined)

  async function ownPath(route: Route, workspace: TestWorkspace): Promise<string> {
    let path = route.path.replace(/\{[^}]*\}/g, '')
    for (const [name, kind] of Object.entries(route.params)) {
      const value =
        kind === 'text' ? await makeText(server, workspace, route, name) : await makeId(server, workspace, kind)
      path = path.replace(`:${name}`, encodeURIComponent(value))
    }
    return path
  }

  function expectProblem(answer: Awaited<ReturnType<typeof send>>, status: number): void {
    expect(answer.status, answer.text).toBe(status)
    expect(answer.headers.get('content-type')).toBe('application/problem+json')
    expect(answer.body).toMatchObject({
      type: expect.any(String),
      title: expect.any(String),
      status,
      code: expect.any(String),
      detail: expect.any(String),
      request_id: answer.headers.get('x-request-id'),
    })
    expect(answer.text).not.toMatch(/\bat \S+ \(|select |insert into|node_modules/)
  }

  test('every route is one of a feature, and every body has an example', () => {
    expect(routes.length).toBeGreaterThan(40)
    expect(routes.filter((route) => route.body && route.example === undefined).map(title)).toEqual([])
    expect(new Set(routes.map((route) => route.operationId)).size).toBe(routes.length)
  })

  const tenantRoutes = routes.filter((route) => route.kind === 'tenant')

  describe('without a token', () => {
    test.each(each(tenantRoutes))('%s is 401', async (_name, route) => {
      const path = route.path.replace(/:\w+/g, 'x')
      const credentials: Array<Record<string, string>> = [
        {},
        { authorization: 'Bearer' },
        { authorization: 'Basic YWJjOmRlZg==' },
        { authorization: `Bearer ${'x'.repeat(40)}` },
        { authorization: 'Bearer ear_live_000000000000000000000000000000000000' },
      ]
      for (const headers of credentials) {
        expectProblem(await send(route, path, { headers, body: example(route) }), 401)
      }
    })
  })

  describe('without the permission', () => {
    let workspace: TestWorkspace
    const keys = new Map<string, string>()
    beforeAll(async () => {
      workspace = await createWorkspace(server)
    })
    test.each(each(tenantRoutes.filter((route) => route.permission)))(
      '%s is 403 and names it',
      async (_name, route) => {
        const permission = route.permission as (typeof PERMISSIONS)[number]
        if (!keys.has(permission))
          keys.set(
            permission,
            (
              await createApiKey(
                server,
                workspace.token,
                PERMISSIONS.filter((other) => other !== permission),
              )
            ).key,
          )
        const answer = await send(route, route.path.replace(/:\w+/g, 'x'), {
          token: keys.get(permission),
          body: example(route),
        })
        expectProblem(answer, 403)
        expect(answer.body).toMatchObject({ code: 'forbidden', permission })
      },
    )
  })

  describe('a foreign, an unknown and a malformed id', () => {
    test.each(each(routes.filter((route) => idParams(route).length > 0)))(
      'of %s are the same 404',
      async (_name, route) => {
        const [mine, theirs] = [await createWorkspace(server), await createWorkspace(server)]
        for (const [name, kind] of idParams(route)) {
          const prefix = ID_PREFIXES[kind]
          const foreign = route.kind === 'tenant' ? [await makeId(server, theirs, kind)] : []
          const ids = [
            ...foreign,
            formatId(kind, newId(kind)),
            'x',
            `${prefix}_`,
            `${prefix}_${'z'.repeat(26)}`,
            `${prefix}_${'u'.repeat(26)}`,
            formatId('event', newId('event')),
            '%00',
            '..%2f',
            "'--",
          ]
          const answers = []
          for (const id of ids) {
            let path = route.path.replace(`:${name}`, id)
            for (const [other, otherKind] of idParams(route))
              if (other !== name) path = path.replace(`:${other}`, await makeId(server, mine, otherKind))
            const answer = await send(route, path, { token: tokenFor(route, mine), body: example(route) })
            if (route.kind === 'tenant') expectProblem(answer, 404)
            else expect(answer.status, answer.text).toBe(404)
            answers.push(answer.text.replace(answer.headers.get('x-request-id') ?? '', ''))
            if (id.length > 3) expect(answer.text).not.toContain(id)
          }
          expect(new Set(answers).size).toBe(1)
        }
      },
    )
  })

  describe('a body', () => {
    test.each(each(routes.filter((route) => route.body)))(
      'that does not fit %s is a problem that says so',
      async (_name, route) => {
        const workspace = await createWorkspace(server)
        const token = tokenFor(route, workspace)
        const path = await ownPath(route, workspace)
        const post = (body: string | Uint8Array, headers: Record<string, string> = {}) =>
          send(route, path, { token, body, headers })
        for (const body of [
          ...(route.optionalBody ? [] : ['']),
          '{',
          '[1,',
          'nonsense',
          '{"a":1}}',
          '[]',
          '1',
          '"text"',
          'null',
          '{"__proto__":{"x":1},"a":"\\u0000"}',
          '{"\\ud800":1}',
          `${'['.repeat(5_000)}${']'.repeat(5_000)}`,
        ]) {
          const answer = await post(body)
          expectProblem(answer, 400)
          expect(answer.body.issues.length).toBeGreaterThan(0)
        }
        expectProblem(await post(Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d)), 400)
        expectProblem(await post('{}', { 'content-type': 'text/plain' }), 415)
        for (const name of Object.keys(route.example as object)) {
          const answer = await post(JSON.stringify({ ...(route.example as object), [name]: { unexpected: [[[]]] } }))
          expect([400, 422], `${name}: ${answer.text}`).toContain(answer.status)
        }
      },
    )
  })

  describe('a body past the limit', () => {
    let workspace: TestWorkspace
    beforeAll(async () => {
      workspace = await createWorkspace(server)
    })
    test.each(each(routes.filter((route) => route.method !== 'get')))(
      'of %s is 413, with and without Content-Length',
      async (_name, route) => {
        const path = await ownPath(route, workspace)
        const body = JSON.stringify({ padding: 'x'.repeat(route.bodyLimit) })
        const type = { 'content-type': Object.keys(route.rawBody ?? {})[0] ?? 'application/json' }
        for (const headers of [type, { ...type, 'content-length': String(body.length) }]) {
          expectProblem(await send(route, path, { token: tokenFor(route, workspace), body, headers }), 413)
        }
      },
    )
  })

  describe('a moment at either end of the calendar', () => {
    let workspace: TestWorkspace
    // One for each route: together they would meet the limit of calls a minute.
    beforeEach(async () => {
      workspace = await createWorkspace(server)
    })
    test.each(each(routes.filter((route) => route.body || route.query)))(
      'sent to %s never ends in a 5xx',
      async (_name, route) => {
        const path = await ownPath(route, workspace)
        const token = tokenFor(route, workspace)
        for (const moment of EDGE_MOMENTS) {
          const requests = [
            ...queryNames(route).map((name) => ({
              path: `${path}?${new URLSearchParams({ ...route.exampleQuery, [name]: moment })}`,
              body: example(route),
            })),
            ...Object.keys((route.example ?? {}) as object).map((name) => ({
              path,
              body: JSON.stringify({ ...(route.example as object), [name]: moment }),
            })),
          ]
          for (const request of requests) {
            const answer = await send(route, request.path, { token, body: request.body })
            expect(answer.status, `${request.path} ${request.body}\n${answer.text}`).toBeLessThan(500)
          }
        }
      },
    )
  })

  describe('an unknown method', () => {
    test.each([...new Set(routes.map((route) => route.path))])('of %s is 405', async (path) => {
      const workspace = await createWorkspace(server)
      const concrete = path.replace(/:\w+/g, 'x')
      const taken = routes.filter((route) => route.path === path).map((route) => route.method)
      // `/members/:id` also answers for `/members/invitations`, with its own 404.
      const answered = routes.filter((route) => matcherOf(route).test(concrete)).map((route) => route.method)
      const method = (['delete', 'put', 'patch'] as const).find((candidate) => !answered.includes(candidate))
      const route = routes.find((candidate) => candidate.path === path)
      if (!method || !route) return
      const answer = await send({ ...route, method }, concrete, { token: workspace.token })
      expectProblem(answer, 405)
      expect(answer.headers.get('allow')?.toLowerCase().split(', ').sort()).toEqual([...new Set(taken)].sort())
    })
  })

  describe(`${fuzzRuns} random requests`, () => {
    test.each(each(routes))(
      'to %s never end in a 5xx',
      async (_name, route) => {
        const workspace = await createWorkspace(server)
        const path = await ownPath(route, workspace)
        const token = tokenFor(route, workspace)
        await fc.assert(
          fc.asyncProperty(arbitraryRequest(route), async (random) => {
            const answer = await send(route, random.path(path), { token, body: random.body, headers: random.headers })
            expect(answer.status, `${random.path(path)} ${random.body}\n${answer.text}`).toBeLessThan(500)
            if (answer.status >= 400 && route.kind === 'tenant')
              expect(answer.headers.get('content-type')).toBe('application/problem+json')
          }),
          { seed: SEED, numRuns: fuzzRuns, endOnFailure: true },
        )
      },
      300_000,
    )
  })
}

interface RandomRequest {
  path(own: string): string
  body: string | undefined
  headers: Record<string, string>
}

// Earlier than the embedded database can hold, and in UTC later than an answer can.
const EDGE_MOMENTS = ['0000-01-01T00:00:00Z', '9999-12-31T23:59:59-23:59']

const nasty = fc.constantFrom(
  ...EDGE_MOMENTS,
  '',
  '\u0000',
  '\ud800',
  "'; drop table responses; --",
  '../../etc/passwd',
  '%',
  '💥'.repeat(50),
  '-1',
  '1e309',
  '9'.repeat(30),
  '__proto__',
  'constructor',
  '2026-13-40',
  'whsec_',
  '{{answer.q1}}',
  'a'.repeat(10_001),
)
const value = fc.oneof(
  { weight: 3, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 2, arbitrary: nasty },
  fc.double(),
  fc.maxSafeInteger(),
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
)

function arbitraryRequest(route: Route): fc.Arbitrary<RandomRequest> {
  const names = queryNames(route)
  const query = fc.dictionary(
    fc.oneof(fc.constantFrom(...names), fc.string({ maxLength: 8 })),
    fc.oneof(
      fc.string(),
      nasty,
      fc.constantFrom('1', '100', 'day', 'UTC', 'en', 'completed', '{"all":[]}', '2026-01-01T00:00:00Z'),
    ),
    { maxKeys: 3 },
  )
  const headers = fc.record(
    {
      'if-match': fc.constantFrom('*', '"1"', 'W/"x"', 'x'.repeat(300)),
      'idempotency-key': fc.constantFrom('k1', 'k2', 'x'.repeat(300), 'a b'),
      'accept-language': fc.constantFrom('de', '*', 'x'.repeat(1_000), 'en;q=2'),
      'content-type': fc.constantFrom(
        'application/json',
        'application/json; charset=utf-16',
        'application/x-www-form-urlencoded',
        'multipart/form-data; boundary=x',
        'nonsense',
      ),
    },
    { requiredKeys: [] },
  )
  // Null keeps the route's own path. Most requests do, so that they get past the look-up of the id.
  const segment = fc.option(fc.oneof(nasty, fc.string()), { nil: null, freq: 5 })
  return fc
    .record({ query, headers, segment, body: fc.option(arbitraryBody(route), { nil: undefined, freq: 10 }) })
    .map(({ query: pairs, headers: sent, segment: other, body }) => ({
      path(own) {
        const base =
          other === null || idParams(route).length === 0
            ? own
            : own.replace(/_[0-9a-z]{26}/, encodeURIComponent(other.toWellFormed()))
        const search = new URLSearchParams(Object.entries(pairs)).toString()
        return search ? `${base}?${search}` : base
      },
      body,
      headers: sent as Record<string, string>,
    }))
}

// The example with random changes, or any value.
function arbitraryBody(route: Route): fc.Arbitrary<string> {
  if (!route.body) return fc.oneof(fc.string(), fc.webQueryParameters())
  const places = pathsOf(route.example)
  const changed = fc
    .array(fc.tuple(fc.constantFrom(...places), value), { minLength: 1, maxLength: 4 })
    .map((changes) => {
      let body: unknown = route.example
      for (const [place, replacement] of changes) body = replaceAt(body, place, replacement)
      return JSON.stringify(body) ?? 'null'
    })
  return fc.oneof(
    { weight: 6, arbitrary: changed },
    { weight: 1, arbitrary: fc.json() },
    { weight: 1, arbitrary: fc.string() },
  )
}

function queryNames(route: Route): string[] {
  const shape = route.query && 'shape' in route.query ? Object.keys(route.query.shape as object) : []
  return [...new Set([...shape, 'limit', 'cursor'])]
}

function pathsOf(value: unknown, path: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [path]
  return [path, ...Object.entries(value).flatMap(([name, child]) => pathsOf(child, [...path, name]))]
}

function replaceAt(value: unknown, [name, ...rest]: string[], replacement: unknown): unknown {
  if (name === undefined) return replacement
  if (Array.isArray(value))
    return value.map((item, i) => (String(i) === name ? replaceAt(item, rest, replacement) : item))
  const members = typeof value === 'object' && value !== null ? value : {}
  return { ...members, [name]: replaceAt((members as Record<string, unknown>)[name], rest, replacement) }
}
