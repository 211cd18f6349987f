import { systemRoute } from '../../../http/routes/route.ts'
import { Health, Readiness } from './probes.schema.ts'

export const healthRoute = systemRoute({
  method: 'get',
  path: '/health',
  operationId: 'getHealth',
  summary: 'Show whether the process is up',
  tag: 'Probes',
  response: { status: 200, schema: Health },
  handler: async ({ clock, settings }) => ({
    ok: true,
    service: 'earshot' as const,
    version: settings.version,
    time: clock.now().toISOString(),
  }),
})

export const readinessRoute = systemRoute({
  method: 'get',
  path: '/health/ready',
  operationId: 'getReadiness',
  summary: 'Show whether the server can take requests',
  tag: 'Probes',
  response: { status: 200, schema: Readiness },
  problems: {
    503:
      '`{"ok": false, "db": "down"}`: the database does not answer. `{"ok": false, "db": "up"}`: the process is ' +
      'stopping.',
  },
  async handler({ ports }, { c }) {
    try {
      const { degraded } = await ports.database.ping()
      return { ok: true, db: degraded ? ('degraded' as const) : ('up' as const) }
    } catch {
      return c.json({ ok: false, db: 'down' }, 503, { 'Retry-After': '5' })
    }
  },
})
