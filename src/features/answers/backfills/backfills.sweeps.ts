import type { Sweep } from '../../../platform/sweeps.ts'
import { continueBackfills, hasWaitingBackfills } from './backfills.service.ts'

/** Carries on backfills, a batch at a time, after a restart as well. */
export const backfillSweep: Sweep = {
  name: 'webhooks.backfill',
  everySeconds: 300,
  isDue: hasWaitingBackfills,
  async run(system, options) {
    await continueBackfills(system, options)
    return 0
  },
}
