import type { Sweep } from '../../../platform/work/sweeps.ts'
import { removeOldSends } from './retention.service.ts'

/** Forgets to whom surveys went after `RETENTION_SENDS_DAYS`. */
export const oldSendsSweep: Sweep = { name: 'sends.retention', everySeconds: 3600, run: removeOldSends }
