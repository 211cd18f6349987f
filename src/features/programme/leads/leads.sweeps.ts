import { removeOldRows } from '../../../platform/work/retention.ts'
import type { Sweep } from '../../../platform/work/sweeps.ts'

/** Removes leads that nobody touched for as long as the server keeps responses. */
export const oldLeadsSweep: Sweep = {
  name: 'leads.retention',
  everySeconds: 3600,
  run: (system, options) =>
    removeOldRows(system, options, {
      table: 'leads',
      agedBy: 'updated_at',
      days: system.settings.retention.responsesDays,
    }),
}
