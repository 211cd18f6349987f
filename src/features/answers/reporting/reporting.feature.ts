import type { Feature } from '../../../platform/feature.ts'
import type { Route } from '../../../http/routes/route.ts'
import * as routes from './report/reporting.routes.ts'
import type { Sweep } from '../../../platform/work/sweeps.ts'
import { rollDueSurveys } from './rollups/rollups.service.ts'

/** Makes rollups for surveys with many responses, one quarter of an hour at a time. */
export const rollupSweep: Sweep = { name: 'reports.rollup', everySeconds: 30, run: rollDueSurveys }

export const reports = {
  name: 'reports',
  routes: Object.values(routes),
  sweeps: [rollupSweep],
  // A mark goes when its quarter is counted again, rollups and facts when their last response is gone.
  retention: [{ tables: ['report_marks', 'report_rollups', 'report_facts'], sweep: rollupSweep }],
} satisfies Feature<Route>
