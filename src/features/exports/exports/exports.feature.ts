import type { Route } from '../../../http/routes/route.ts'
import type { Feature } from '../../../platform/feature.ts'
import type { PersonalStore } from '../../../platform/personal.ts'
import { onRemoved, personalOf } from './runs/personal.service.ts'
import * as runs from './runs/runs.routes.ts'
import { endedRunsSweep, exportRunsSweep } from './runs/runs.sweeps.ts'
import * as schedules from './schedules/schedules.routes.ts'
import { exportSchedulesSweep } from './schedules/schedules.sweeps.ts'
import * as templates from './templates/templates.routes.ts'

/** @param others the personal data of the features that are exported. */
export function createExports(others: () => PersonalStore[]) {
  return {
    name: 'exports',
    routes: [...Object.values(templates), ...Object.values(schedules), ...Object.values(runs)],
    sweeps: [exportRunsSweep, exportSchedulesSweep, endedRunsSweep],
    retention: [
      { tables: ['export_runs'], sweep: endedRunsSweep },
      // They go with the files.
      { tables: ['export_slices', 'export_parts'], sweep: exportRunsSweep },
    ],
    personal: personalOf(others),
    listeners: [onRemoved],
  } satisfies Feature<Route>
}
