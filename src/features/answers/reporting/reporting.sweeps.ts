import type { Sweep } from '../../../platform/sweeps.ts'
import { rollDueSurveys } from './rollups.service.ts'

/** Rolls up what surveys with many responses received, a quarter of an hour at a time. */
export const rollupSweep: Sweep = { name: 'reports.rollup', everySeconds: 30, run: rollDueSurveys }
