import type { Sweep } from '../../../../platform/work/sweeps.ts'
import { hasDueSchedules, runSchedules } from './schedules.service.ts'

/** Starts the runs of schedules. */
export const exportSchedulesSweep: Sweep = {
  name: 'exports.schedules',
  everySeconds: 300,
  isDue: hasDueSchedules,
  run: runSchedules,
}
