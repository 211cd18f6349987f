import type { Sweep } from '../../platform/sweeps.ts'
import { listWaitingBackfills } from '../webhooks/jobs.service.ts'
import { continueBackfill } from './backfills.service.ts'

/** Carries on backfills, a batch at a time, after a restart as well. */
export const backfillSweep: Sweep = {
  name: 'webhooks.backfill',
  everySeconds: 1,
  async run(system, { limit, signal }) {
    for (const job of await listWaitingBackfills(system, limit)) {
      const scope = system.tenant(job.tenant_id, { type: 'system' })
      while (!signal.aborted && (await continueBackfill(scope, job.id)) > 0);
    }
    return 0
  },
}
