import type { Route } from '../../../http/routes/route.ts'
import type { Feature } from '../../../platform/feature.ts'
import * as routes from './reports.routes.ts'
import { oldRunsSweep, runsSweep, scheduleSweep } from './reports.sweeps.ts'

export const scheduledReports = {
  name: 'scheduled-reports',
  routes: Object.values(routes),
  sweeps: [scheduleSweep, runsSweep, oldRunsSweep],
  retention: [{ tables: ['report_runs'], sweep: oldRunsSweep }],
} satisfies Feature<Route>
