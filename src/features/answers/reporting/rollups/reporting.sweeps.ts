import type { Sweep } from '../../../../platform/work/sweeps.ts'
import { rollDueSurveys } from './rollups.service.ts'

/** Makes rollups for surveys with many responses, one quarter of an hour at a time. */
export const rollupSweep: Sweep = { name: 'reports.rollup', everySeconds: 30, run: rollDueSurveys }
