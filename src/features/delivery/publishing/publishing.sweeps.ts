import type { Sweep } from '../../../platform/work/sweeps.ts'
import { removeOldEvents } from './removal.service.ts'

/** Removes events and their deliveries after `RETENTION_PAYLOADS_DAYS`. */
export const oldEventsSweep: Sweep = { name: 'events.retention', everySeconds: 3600, run: removeOldEvents }
