import type { Sweep } from '../../../../platform/sweeps.ts'
import { hasWaitingJobs, listWaitingJobs } from './jobs.service.ts'
import { continueReplay } from './replays.service.ts'

/** Carries on replays of many deliveries, a batch at a time, after a restart as well. */
export const replaySweep: Sweep = {
  name: 'webhooks.replay',
  everySeconds: 300,
  isDue: (tx, now, among) => hasWaitingJobs(tx, among, 'replay', now),
  async run(system, { limit, signal }) {
    const waiting = await listWaitingJobs(system, 'replay', limit)
    for (const job of waiting) {
      const scope = system.tenant(job.tenant_id, { type: 'system' })
      while (!signal.aborted && (await continueReplay(scope, job.id)) > 0);
    }
    return 0
  },
}
