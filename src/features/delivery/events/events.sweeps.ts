import type { Sweep } from '../../../platform/sweeps.ts'
import { removeOldEvents } from './retention.service.ts'

/** Forgets what was told, and to whom, after `RETENTION_PAYLOADS_DAYS`. */
export const oldEventsSweep: Sweep = { name: 'events.retention', everySeconds: 3600, run: removeOldEvents }
