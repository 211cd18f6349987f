import type { Sweep } from '../../platform/sweeps.ts'
import { continueBackfills } from './backfills.service.ts'

/** Carries on backfills, a batch at a time, after a restart as well. */
export const backfillSweep: Sweep = {
  name: 'webhooks.backfill',
  everySeconds: 1,
  async run(system, options) {
    await continueBackfills(system, options)
    return 0
  },
}
