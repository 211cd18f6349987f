import { systemRoute } from '../../../http/routes/route.ts'
import { z } from 'zod'
import type { Feature } from '../../../platform/feature.ts'

const Health = z
  .object({ ok: z.boolean(), service: z.literal('earshot'), version: z.string(), time: z.iso.datetime() })
  .meta({ id: 'Health' })

const Readiness = z
  .object({
    ok: z.boolean(),
    db: z
      .enum(['up', 'degraded', 'down'])
      .describe('Degraded: a node of the database cluster is away. Workspaces on other nodes are served.'),
  })
  .meta({ id: 'Readiness' })

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

export const probes = { name: 'probes', routes: [healthRoute, readinessRoute] } satisfies Feature
