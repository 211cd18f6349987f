import type { Feature } from '../../../platform/feature.ts'
import { personal } from './personal.service.ts'
import * as routes from './batches.routes.ts'
import { batchesSweep, endedBatchesSweep, lateValuesSweep } from './batches.sweeps.ts'

export const batches = {
  name: 'batches',
  routes: Object.values(routes),
  sweeps: [batchesSweep, lateValuesSweep, endedBatchesSweep],
  personal,
  retention: [{ tables: ['batches', 'batch_rows'], sweep: endedBatchesSweep }],
} satisfies Feature
