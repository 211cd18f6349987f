import type { MiddlewareHandler } from 'hono'
import type { Tracing } from '../platform/ports/tracing.ts'
import type { Env } from './routes/context.ts'

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
