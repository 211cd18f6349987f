import { createHash, timingSafeEqual } from 'node:crypto'
import { Histogram, type Registry } from 'prom-client'
import type { Secret } from '../platform/config/secrets.ts'
import { notFound, unauthorized } from './problems/problem.ts'
import { systemRoute, type Route } from './routes/route.ts'

/** Seconds from the first byte of a request to its answer, by declared route. */
export function requestDurations(registry: Registry): Histogram<'route' | 'method' | 'status'> {
  return new Histogram({
    name: 'earshot_http_request_duration_seconds',
    help: 'Time to answer a request.',
    labelNames: ['route', 'method', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  })
}

/** `GET /metrics` for holders of `METRICS_TOKEN`. Without that setting the route answers 404. */
export function metricsRoute(registry: Registry, token: Secret | null): Route {
  return systemRoute({
    method: 'get',
    path: '/metrics',
    operationId: 'getMetrics',
    summary: 'Metrics for Prometheus',
    description: 'Needs `Authorization: Bearer <METRICS_TOKEN>`.',
    tag: 'Probes',
    response: { status: 200, contentType: 'text/plain' },
    problems: { 401: 'The token is not the value of METRICS_TOKEN.', 404: 'METRICS_TOKEN is not set.' },
    async handler(_system, { c }) {
      if (!token) throw notFound()
      if (!isSame(c.req.header('authorization')?.replace(/^bearer /i, '') ?? '', token.reveal())) throw unauthorized()
      return c.body(await registry.metrics(), 200, { 'Content-Type': registry.contentType })
    },
  })
}

// Digests have the same length, so the comparison does not reveal the token's length.
function isSame(given: string, expected: string): boolean {
  const [left, right] = [given, expected].map((text) => createHash('sha256').update(text).digest())
  return left !== undefined && right !== undefined && timingSafeEqual(left, right)
}
