import type { Sweep } from '../../../platform/work/sweeps.ts'
import { removeOldResponses } from './retention.service.ts'

/** Removes responses after `RETENTION_RESPONSES_DAYS`, or the days of their workspace. */
export const oldResponsesSweep: Sweep = { name: 'responses.retention', everySeconds: 3600, run: removeOldResponses }
