import type { Feature } from '../../../platform/feature.ts'
import {
  explainResponseRoute,
  explainRoute,
  getBackfillRoute,
  listBackfillsRoute,
  startBackfillRoute,
} from './backfills.routes.ts'
import type { Sweep } from '../../../platform/work/sweeps.ts'
import { continueBackfills, hasWaitingBackfills } from './backfills.service.ts'

/** Continues backfills, one batch at a time, also after a restart. */
export const backfillSweep: Sweep = {
  name: 'webhooks.backfill',
  everySeconds: 300,
  isDue: hasWaitingBackfills,
  async run(system, options) {
    await continueBackfills(system, options)
    return 0
  },
}

export const backfills = {
  name: 'backfills',
  routes: [startBackfillRoute, listBackfillsRoute, getBackfillRoute, explainRoute, explainResponseRoute],
  sweeps: [backfillSweep],
} satisfies Feature
