import type { Sweep } from '../../../../platform/work/sweeps.ts'
import { countDueLedgers } from './ledger-counts.service.ts'
import { removeOldAttempts } from './retention.service.ts'

/** Removes single attempts after `RETENTION_ATTEMPTS_DAYS`. */
export const oldAttemptsSweep: Sweep = {
  name: 'webhooks.attempts-retention',
  everySeconds: 3600,
  run: removeOldAttempts,
}

/** Counts large delivery logs, a span at a time, and takes off the deliveries that retention removed. */
export const ledgerCountsSweep: Sweep = { name: 'webhooks.ledger-counts', everySeconds: 10, run: countDueLedgers }
