import type { Feature } from '../../../platform/feature.ts'
import { explainRoute, startBackfillRoute } from './backfills.routes.ts'
import { backfillSweep } from './backfills.sweeps.ts'

export const backfills = {
  name: 'backfills',
  routes: [startBackfillRoute, explainRoute],
  sweeps: [backfillSweep],
} satisfies Feature
