import type { Feature } from '../../../platform/feature.ts'
import { explainRoute, getBackfillRoute, listBackfillsRoute, startBackfillRoute } from './backfills.routes.ts'
import { backfillSweep } from './backfills.sweeps.ts'

export const backfills = {
  name: 'backfills',
  routes: [startBackfillRoute, listBackfillsRoute, getBackfillRoute, explainRoute],
  sweeps: [backfillSweep],
} satisfies Feature
