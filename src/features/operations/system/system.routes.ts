import { tenantRoute } from '../../../http/routes/route.ts'
import { System } from './system.schema.ts'
import { describeSystem, readBackground } from './system.service.ts'
import type { Feature } from '../../../platform/feature.ts'
import { registerBackgroundMetrics } from './background-metrics.ts'

const getSystemRoute = tenantRoute({
  method: 'get',
  path: '/system',
  operationId: 'getSystem',
  summary: 'Show how far background work is behind',
  tag: 'System',
  response: { status: 200, schema: System },
  handler: (scope) => describeSystem(scope),
})

export const system = {
  name: 'system',
  routes: [getSystemRoute],
  metrics: ({ metrics, run }) => registerBackgroundMetrics(metrics, () => run(readBackground)),
} satisfies Feature
