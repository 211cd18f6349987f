import type { Sweep } from '../../../../platform/sweeps.ts'
import { hasWaitingJobs } from '../replay/jobs.service.ts'
import { listWaitingJobs } from '../replay/jobs.store.ts'
import { countDueLedgers } from './ledger-counts.service.ts'
import { continueReplay } from '../replay/replays.service.ts'
import { removeOldAttempts } from './retention.service.ts'

/** Carries on replays of many deliveries, a batch at a time, after a restart as well. */
export const replaySweep: Sweep = {
  name: 'webhooks.replay',
  everySeconds: 300,
  isDue: (tx, now) => hasWaitingJobs(tx, 'replay', now),
  async run(system, { limit, signal }) {
    const waiting = await system.tx((tx) => listWaitingJobs(tx, 'replay', system.clock.now(), limit))
    for (const job of waiting) {
      const scope = system.tenant(job.tenant_id, { type: 'system' })
      while (!signal.aborted && (await continueReplay(scope, job.id)) > 0);
    }
    return 0
  },
}

/** Forgets single attempts after `RETENTION_ATTEMPTS_DAYS`. */
export const oldAttemptsSweep: Sweep = { name: 'webhooks.attempts-retention', everySeconds: 3600, run: removeOldAttempts }

/** Counts what large delivery logs hold, a span at a time, and takes off what retention removed. */
export const ledgerCountsSweep: Sweep = { name: 'webhooks.ledger-counts', everySeconds: 10, run: countDueLedgers }
