import type { Sweep } from '../../../../platform/work/sweeps.ts'
import { continueResend } from './bulk-resends.service.ts'
import { hasWaitingJobs, listWaitingJobs } from './jobs.service.ts'
import { continueReplay } from './replays.service.ts'

/** Carries on replays and resends of many deliveries, a batch at a time, after a restart as well. */
export const replaySweep: Sweep = {
  name: 'webhooks.replay',
  everySeconds: 300,
  isDue: async (tx, now, among) =>
    (await hasWaitingJobs(tx, among, 'replay', now)) || hasWaitingJobs(tx, among, 'resend', now),
  async run(system, { limit, signal }) {
    for (const [kind, carryOn] of [
      ['replay', continueReplay],
      ['resend', continueResend],
    ] as const) {
      for (const job of await listWaitingJobs(system, kind, limit)) {
        const scope = system.tenant(job.tenant_id, { type: 'system' })
        while (!signal.aborted && (await carryOn(scope, job.id)) > 0);
      }
    }
    return 0
  },
}
