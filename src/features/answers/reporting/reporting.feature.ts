import type { Feature } from '../../../platform/feature.ts'
import type { Route } from '../../../http/routes/route.ts'
import * as routes from './report/reporting.routes.ts'
import { rollupSweep } from './rollups/reporting.sweeps.ts'

export const reports = {
  name: 'reports',
  routes: Object.values(routes),
  sweeps: [rollupSweep],
  // A mark goes when its quarter is counted again, rollups and facts when their last response is gone.
  retention: [{ tables: ['report_marks', 'report_rollups', 'report_facts'], sweep: rollupSweep }],
} satisfies Feature<Route>
