import { removeOldRows } from '../../../../platform/work/retention.ts'
import type { Sweep } from '../../../../platform/work/sweeps.ts'
import { advanceRuns, hasDueRuns } from './advance.service.ts'

const KEPT_DAYS = 365

/** Brings runs on. A new one wakes it. */
export const exportRunsSweep: Sweep = {
  name: 'exports.runs',
  everySeconds: 300,
  isDue: hasDueRuns,
  run: advanceRuns,
}

/** Removes the records of runs a year after their files. */
export const endedRunsSweep: Sweep = {
  name: 'exports.retention',
  everySeconds: 3600,
  run: (system, options) =>
    removeOldRows(system, options, { table: 'export_runs', agedBy: 'ended_at', days: KEPT_DAYS }),
}
