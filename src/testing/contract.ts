import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Route } from '../http/routes/route.ts'
import { formatId, ID_PREFIXES, newId } from '../platform/ids.ts'
import { PERMISSIONS } from '../platform/permissions.ts'
import { createApiKey, createWorkspace, shareWorkspaces, type TestWorkspace } from './fixtures.ts'
import { makeId } from './makers.ts'
import {
  each,
  EDGE_MOMENTS,
  example,
  idParams,
  queryNames,
  routes,
  title,
  tokenFor,
  useRouteCaller,
  type Engine,
  type RouteAnswer,
} from './route-caller.ts'

const matcherOf = (route: Route) => new RegExp(`^${route.path.replace(/:\w+(\{[^}]*\})?/g, '[^/]+')}$`)

/**
 * The guarantees of every route to every caller. Routes come from the features, so a new one is covered at once; a new
 * kind of id needs a line in `makers.ts`.
 */
export function contractSuite(engine: Engine): void {
  const { server, send, ownPath } = useRouteCaller(engine)

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
      workspace = await createWorkspace(server())
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
                server(),
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
    const [nextMine, nextTheirs] = [shareWorkspaces(server, 20), shareWorkspaces(server, 20)]
    test.each(each(routes.filter((route) => idParams(route).length > 0)))(
      'of %s are the same 404',
      async (_name, route) => {
        const [mine, theirs] = [await nextMine(), await nextTheirs()]
        for (const [name, kind] of idParams(route)) {
          const prefix = ID_PREFIXES[kind]
          const foreign = route.kind === 'tenant' ? [await makeId(server(), theirs, kind)] : []
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
          let ownPath = route.path
          for (const [other, otherKind] of idParams(route))
            if (other !== name) ownPath = ownPath.replace(`:${other}`, await makeId(server(), mine, otherKind))
          const answers = []
          for (const id of ids) {
            const answer = await send(route, ownPath.replace(`:${name}`, id), {
              token: tokenFor(route, mine),
              body: example(route),
            })
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
    const nextWorkspace = shareWorkspaces(server, 15)
    test.each(each(routes.filter((route) => route.body)))(
      'that does not fit %s is a problem that says so',
      async (_name, route) => {
        const workspace = await nextWorkspace()
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

  describe('a compressed body', () => {
    let workspace: TestWorkspace
    beforeAll(async () => {
      workspace = await createWorkspace(server())
    })
    test.each(each(routes.filter((route) => route.method !== 'get')))('of %s is 415', async (_name, route) => {
      const path = await ownPath(route, workspace)
      const call = { token: tokenFor(route, workspace), body: gzipSync('{}') }
      const type = { 'content-type': Object.keys(route.rawBody ?? {})[0] ?? 'application/json' }
      for (const encoding of ['gzip', 'GZIP', 'identity, br'])
        expectProblem(await send(route, path, { ...call, headers: { ...type, 'content-encoding': encoding } }), 415)
    })
  })

  describe('a body past the limit', () => {
    let workspace: TestWorkspace
    beforeAll(async () => {
      workspace = await createWorkspace(server())
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
    // Few routes share one: more would meet the limit of calls a minute.
    const nextWorkspace = shareWorkspaces(server, 5)
    test.each(each(routes.filter((route) => route.body || route.query)))(
      'sent to %s never ends in a 5xx',
      async (_name, route) => {
        const workspace = await nextWorkspace()
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
    let workspace: TestWorkspace
    beforeAll(async () => {
      workspace = await createWorkspace(server())
    })
    test.each([...new Set(routes.map((route) => route.path))])('of %s is 405', async (path) => {
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
}

function expectProblem(answer: RouteAnswer, status: number): void {
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
