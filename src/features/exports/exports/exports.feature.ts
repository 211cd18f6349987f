import type { Route } from '../../../http/routes/route.ts'
import type { Feature } from '../../../platform/feature.ts'
import type { PersonalData } from '../../../platform/personal.ts'
import { onRemoved, personalOf } from './runs/personal.service.ts'
import * as runs from './runs/runs.routes.ts'
import * as schedules from './schedules/schedules.routes.ts'
import * as templates from './templates/templates.routes.ts'
import { removeOldRows } from '../../../platform/work/retention.ts'
import type { Sweep } from '../../../platform/work/sweeps.ts'
import { advanceRuns, deliverRuns, hasDueDeliveries, hasDueRuns } from './runs/advance.service.ts'
import { hasDueSchedules, runSchedules } from './schedules/schedules.service.ts'

/** Starts the runs of schedules. */
export const exportSchedulesSweep: Sweep = {
  name: 'exports.schedules',
  everySeconds: 300,
  isDue: hasDueSchedules,
  run: runSchedules,
}

const KEPT_DAYS = 365

/** Brings runs on. A new one wakes it. */
export const exportRunsSweep: Sweep = {
  name: 'exports.runs',
  everySeconds: 300,
  isDue: hasDueRuns,
  run: advanceRuns,
}

/** Copies runs to the servers of workspaces. A run that was built wakes it. */
export const exportDeliveriesSweep: Sweep = {
  name: 'exports.deliveries',
  everySeconds: 300,
  isDue: hasDueDeliveries,
  run: deliverRuns,
}

/** Removes the records of runs a year after their files. */
const endedRunsSweep: Sweep = {
  name: 'exports.retention',
  everySeconds: 3600,
  run: (system, options) =>
    removeOldRows(system, options, { table: 'export_runs', agedBy: 'ended_at', days: KEPT_DAYS }),
}

/** @param listParts the personal data of every feature. */
export function createExports(listParts: () => PersonalData[]) {
  return {
    name: 'exports',
    routes: [...Object.values(templates), ...Object.values(schedules), ...Object.values(runs)],
    sweeps: [exportRunsSweep, exportDeliveriesSweep, exportSchedulesSweep, endedRunsSweep],
    retention: [
      { tables: ['export_runs'], sweep: endedRunsSweep },
      // They go with the files.
      { tables: ['export_slices', 'export_parts'], sweep: exportRunsSweep },
    ],
    personal: personalOf(listParts),
    listeners: [onRemoved],
  } satisfies Feature<Route>
}
