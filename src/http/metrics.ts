import { createHash, timingSafeEqual } from 'node:crypto'
import { Histogram, type Registry } from 'prom-client'
import type { Secret } from '../platform/secrets.ts'
import { notFound, unauthorized } from './problem.ts'
import { systemRoute, type Route } from './route.ts'

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

/** `GET /metrics` for whoever holds `METRICS_TOKEN`; without that setting there is no such route to see. */
export function metricsRoute(registry: Registry, token: Secret | null): Route {
  return systemRoute({
    method: 'get',
    path: '/metrics',
    operationId: 'getMetrics',
    summary: 'Metrics for Prometheus',
    description: 'Needs `Authorization: Bearer <METRICS_TOKEN>`.',
    tag: 'Probes',
    response: { status: 200, contentType: 'text/plain' },
    problems: { 401: 'Not the token of METRICS_TOKEN.', 404: 'METRICS_TOKEN is not set.' },
    async handler(_system, { c }) {
      if (!token) throw notFound()
      if (!isSame(c.req.header('authorization')?.replace(/^bearer /i, '') ?? '', token.reveal())) throw unauthorized()
      return c.body(await registry.metrics(), 200, { 'Content-Type': registry.contentType })
    },
  })
}

// Digests have one length, so that the comparison tells nothing about the token's.
function isSame(given: string, expected: string): boolean {
  const [left, right] = [given, expected].map((text) => createHash('sha256').update(text).digest())
  return left !== undefined && right !== undefined && timingSafeEqual(left, right)
}
