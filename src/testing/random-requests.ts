import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Route } from '../http/routes/route.ts'
import { shareWorkspaces } from './fixtures.ts'
import { propertyRuns } from './property-runs.ts'
import {
  each,
  EDGE_MOMENTS,
  idParams,
  queryNames,
  routes,
  tokenFor,
  useRouteCaller,
  type Engine,
} from './route-caller.ts'

const SEED = 20_261_121

/** No request, however odd, ends in a 5xx. `runs` are for each route, in `npm test` only `fast`. */
export function randomRequestSuite({ engine, runs, fast }: { engine: Engine; runs: number; fast?: number }): void {
  const { server, send, ownPath } = useRouteCaller(engine)
  const nextWorkspace = shareWorkspaces(server, 10)
  test.each(each(routes))(
    'to %s never end in a 5xx',
    async (_name, route) => {
      const workspace = await nextWorkspace()
      const path = await ownPath(route, workspace)
      const token = tokenFor(route, workspace)
      await fc.assert(
        fc.asyncProperty(arbitraryRequest(route), async (random) => {
          const answer = await send(route, random.path(path), { token, body: random.body, headers: random.headers })
          expect(answer.status, `${random.path(path)} ${random.body}\n${answer.text}`).toBeLessThan(500)
          if (answer.status >= 400 && route.kind === 'tenant')
            expect(answer.headers.get('content-type')).toBe('application/problem+json')
        }),
        propertyRuns(SEED, runs, fast),
      )
    },
    300_000,
  )
}

interface RandomRequest {
  path(own: string): string
  body: string | undefined
  headers: Record<string, string>
}

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
