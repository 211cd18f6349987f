import { afterAll, beforeAll } from 'vitest'
import { features } from '../features.ts'
import type { Route } from '../http/routes/route.ts'
import type { IdKind } from '../platform/ids.ts'
import type { TestWorkspace } from './fixtures.ts'
import { startTestServer, textOf, type TestServer } from './harness.ts'
import { makeId, makeText } from './makers.ts'

export type Engine = 'pg' | 'pglite'

export const routes: Route[] = features.flatMap((feature) => feature.routes ?? [])
export const title = (route: Route) => `${route.method.toUpperCase()} ${route.path}`
/** Rows for `test.each`. */
export const each = (list: Route[]) => list.map((route) => [title(route), route] as const)
export const idParams = (route: Route) =>
  Object.entries(route.params).filter((entry): entry is [string, IdKind] => entry[1] !== 'text')
export const example = (route: Route) => (route.body ? JSON.stringify(route.example) : undefined)
export const tokenFor = (route: Route, workspace: TestWorkspace) =>
  route.kind === 'tenant' ? workspace.token : undefined

// Earlier than the embedded database can hold, and in UTC later than an answer can.
export const EDGE_MOMENTS = ['0000-01-01T00:00:00Z', '9999-12-31T23:59:59-23:59']

export function queryNames(route: Route): string[] {
  const shape = route.query && 'shape' in route.query ? Object.keys(route.query.shape as object) : []
  return [...new Set([...shape, 'limit', 'cursor'])]
}

/** A server of its own for the tests of a suite, and calls of its routes. */
export function useRouteCaller(engine: Engine) {
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
    const text = await textOf(response)
    const isJson = /json/.test(response.headers.get('content-type') ?? '')
    return { status: response.status, headers: response.headers, text, body: isJson && text ? JSON.parse(text) : null }
  }

  async function ownPath(route: Route, workspace: TestWorkspace): Promise<string> {
    let path = route.path.replace(/\{[^}]*\}/g, '')
    for (const [name, kind] of Object.entries(route.params)) {
      const value =
        kind === 'text' ? await makeText(server, workspace, route, name) : await makeId(server, workspace, kind)
      path = path.replace(`:${name}`, encodeURIComponent(value))
    }
    return path
  }

  return { server: () => server, send, ownPath }
}

export type RouteAnswer = Awaited<ReturnType<ReturnType<typeof useRouteCaller>['send']>>
