import type { Route } from '../../../http/routes/route.ts'
import type { Feature } from '../../../platform/feature.ts'
import * as routes from './reports.routes.ts'
import { dueBy, hasDue } from '../../../platform/work/due-tenants.ts'
import { removeOldRows } from '../../../platform/work/retention.ts'
import type { Sweep } from '../../../platform/work/sweeps.ts'
import { forgetContactsOfRuns, personal } from './personal.service.ts'
import { deliverDueRuns, planDueReports } from './running.service.ts'

const DAYS = 90

/** Starts reports at the times of their schedules (docs/dashboards.md, "Reports"). */
export const scheduleSweep: Sweep = {
  name: 'reports.schedule',
  everySeconds: 300,
  isDue: (tx, now, among) => hasDue(tx, among, dueBy('reports', 'next_at', now)),
  run: planDueReports,
}

/** Makes and mails what was started. */
export const runsSweep: Sweep = {
  name: 'reports.run',
  everySeconds: 300,
  isDue: (tx, now, among) => hasDue(tx, among, dueBy('report_runs', 'next_at', now)),
  run: deliverDueRuns,
}

/** Removes runs with their documents after 90 days. */
export const oldRunsSweep: Sweep = {
  name: 'reports.retention',
  everySeconds: 3600,
  run: (system, options) =>
    removeOldRows(system, options, {
      table: 'report_runs',
      agedBy: 'created_at',
      days: DAYS,
      after: forgetContactsOfRuns,
    }),
}

export const scheduledReports = {
  name: 'scheduled-reports',
  routes: Object.values(routes),
  sweeps: [scheduleSweep, runsSweep, oldRunsSweep],
  retention: [{ tables: ['report_runs'], sweep: oldRunsSweep }],
  personal,
} satisfies Feature<Route>
