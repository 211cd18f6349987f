import type { Feature } from '../../../platform/feature.ts'
import type { Route } from '../../../http/route.ts'
import * as routes from './reporting.routes.ts'
import { rollupSweep } from './reporting.sweeps.ts'

export const reports = {
  name: 'reports',
  routes: Object.values(routes),
  sweeps: [rollupSweep],
  // Marks go when their quarter is counted anew, rollups when their last response has gone.
  retention: [{ tables: ['report_marks', 'report_rollups'], sweep: rollupSweep }],
} satisfies Feature<Route>
