import type { Feature } from '../../../platform/feature.ts'
import { personal } from './personal.service.ts'
import * as routes from './batches.routes.ts'
import { removeOldRows } from '../../../platform/work/retention.ts'
import type { Sweep } from '../../../platform/work/sweeps.ts'
import { forgetLateValues, hasLateValues, hasDueBatches, workOnBatches } from './work.service.ts'

const KEPT_DAYS = 90

/** Works on batches by filter, on undos, and on what a request left. A new one wakes it. */
export const batchesSweep: Sweep = {
  name: 'batches.rows',
  everySeconds: 300,
  isDue: hasDueBatches,
  run: workOnBatches,
}

/** Forgets the earlier values of batches that cannot be undone any more. */
export const lateValuesSweep: Sweep = {
  name: 'batches.values',
  everySeconds: 300,
  isDue: hasLateValues,
  run: forgetLateValues,
}

const endedBatchesSweep: Sweep = {
  name: 'batches.retention',
  everySeconds: 3600,
  run: (system, options) => removeOldRows(system, options, { table: 'batches', agedBy: 'created_at', days: KEPT_DAYS }),
}

export const batches = {
  name: 'batches',
  routes: Object.values(routes),
  sweeps: [batchesSweep, lateValuesSweep, endedBatchesSweep],
  personal,
  retention: [{ tables: ['batches', 'batch_rows'], sweep: endedBatchesSweep }],
} satisfies Feature
