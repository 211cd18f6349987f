import type { Feature } from '../../../platform/feature.ts'
import { registerBackgroundMetrics } from './background-metrics.ts'
import { readBackground } from './backlogs.service.ts'
import { getSystemRoute } from './system.routes.ts'

export const system = {
  name: 'system',
  routes: [getSystemRoute],
  metrics: ({ metrics, run }) => registerBackgroundMetrics(metrics, () => run(readBackground)),
} satisfies Feature
