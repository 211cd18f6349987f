import { Histogram, type Registry } from 'prom-client'

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
