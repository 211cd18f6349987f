import type { MiddlewareHandler } from 'hono'
import type { Tracing } from '../platform/ports/tracing.ts'
import type { Env } from './context.ts'

const PROBES = new Set(['/health', '/health/ready', '/metrics'])

/** A span for each request, named by its route. It holds no path and no query, in which ids and tokens stand. */
export function traceRequests(tracing: Tracing): MiddlewareHandler<Env> {
  return (c, next) => {
    if (PROBES.has(c.req.path)) return next()
    const { method } = c.req
    return tracing.request(method, c.req.header('traceparent'), async (span) => {
      await next()
      const route = c.get('route')
      const { status } = c.res
      span.rename(`${method} ${route?.path ?? 'none'}`)
      span.set({
        'http.route': route?.path ?? 'none',
        'http.response.status_code': status,
        'earshot.operation': route?.operationId ?? 'none',
      })
      if (status >= 500) span.fail(String(status))
    })
  }
}

// Our ids and slugs match. Longer text, or other characters, may be a token or name a person.
const TOLD = /^[\w.-]{0,31}$/

/**
 * The path of a request for a log: without the query, and as the route's pattern if it has a token or other free text.
 */
export function shownPath(path: string, route: { path: string; params: Record<string, string> } | undefined): string {
  if (route && Object.values(route.params).includes('text')) return route.path
  return path
    .split('/')
    .map((segment) => (TOLD.test(segment) ? segment : '…'))
    .join('/')
}
