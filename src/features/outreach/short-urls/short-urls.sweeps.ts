import { removeOldRows } from '../../../platform/retention.ts'
import type { Sweep } from '../../../platform/sweeps.ts'

/** Forgets single days of clicks as it forgets sends, after `RETENTION_SENDS_DAYS`; the total of a short URL stays. */
export const oldClicksSweep: Sweep = {
  name: 'short-urls.retention',
  everySeconds: 3600,
  run: (system, options) =>
    removeOldRows(system, options, {
      table: 'short_url_clicks',
      agedBy: 'at',
      days: system.settings.retention.sendsDays,
    }),
}
