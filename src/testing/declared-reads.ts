import { expect } from 'vitest'
import type { AppContext } from '../http/context.ts'
import { COMMON_HEADERS } from '../http/routes/headers.ts'
import type { Route } from '../http/routes/route.ts'

/** Makes a request fail if its route reads a header, a query or a body that it does not declare. */
export function watchReads(route: Route, c: AppContext): void {
  const headers = new Set<string>([...COMMON_HEADERS, ...route.headers])
  const request = c.req
  const header = request.header.bind(request)
  const query = request.query.bind(request)
  const { url } = request
  const refuse = (what: string): never => expect.fail(`${route.operationId} reads ${what}, which it does not declare`)
  Object.defineProperties(request, {
    header: {
      value: (name?: string) => {
        if (name === undefined) return refuse('every header')
        return headers.has(name.toLowerCase()) ? header(name) : refuse(`the header ${name}`)
      },
    },
    query: {
      value: (name?: string) => (route.query ? (name === undefined ? query() : query(name)) : refuse('the query')),
    },
    queries: { value: () => refuse('the query several times over') },
    url: { get: () => (route.query ? url : url.replace(/\?.*$/, '')) },
    ...Object.fromEntries(
      ['json', 'text', 'arrayBuffer', 'blob', 'parseBody', 'formData'].map((name) => [
        name,
        { value: () => refuse('a body by itself') },
      ]),
    ),
  })
}
