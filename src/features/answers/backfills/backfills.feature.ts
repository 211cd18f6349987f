import type { Feature } from '../../../platform/feature.ts'
import {
  explainResponseRoute,
  explainRoute,
  getBackfillRoute,
  listBackfillsRoute,
  startBackfillRoute,
} from './backfills.routes.ts'
import { backfillSweep } from './backfills.sweeps.ts'

export const backfills = {
  name: 'backfills',
  routes: [startBackfillRoute, listBackfillsRoute, getBackfillRoute, explainRoute, explainResponseRoute],
  sweeps: [backfillSweep],
} satisfies Feature
