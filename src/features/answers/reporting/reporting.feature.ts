import type { Feature } from '../../../platform/feature.ts'
import type { Route } from '../../../http/route.ts'
import * as routes from './reporting.routes.ts'
import { rollupSweep } from './reporting.sweeps.ts'

export const reports = {
  name: 'reports',
  routes: Object.values(routes),
  sweeps: [rollupSweep],
  // A mark goes when its quarter is counted again, a rollup when its last response is gone.
  retention: [{ tables: ['report_marks', 'report_rollups'], sweep: rollupSweep }],
} satisfies Feature<Route>
