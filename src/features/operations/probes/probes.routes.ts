import { systemRoute } from '../../../http/route.ts'
import { Health, Readiness } from './probes.schema.ts'

export const healthRoute = systemRoute({
  method: 'get',
  path: '/health',
  operationId: 'getHealth',
  summary: 'Whether the process answers',
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
  summary: 'Whether requests may be sent here',
  tag: 'Probes',
  response: { status: 200, schema: Readiness },
  problems: {
    503: 'The database does not answer: `{"ok": false, "db": "down"}`; or the process is stopping: `{"ok": false, "db": "up"}`.',
  },
  async handler({ ports }, { c }) {
    try {
      await ports.database.ping()
      return { ok: true, db: 'up' as const }
    } catch {
      return c.json({ ok: false, db: 'down' }, 503, { 'Retry-After': '5' })
    }
  },
})
