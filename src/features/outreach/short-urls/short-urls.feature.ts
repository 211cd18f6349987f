import type { Route } from '../../../http/routes/route.ts'
import type { Feature } from '../../../platform/feature.ts'
import * as redirects from './redirects.routes.ts'
import * as api from './short-urls.routes.ts'
import { removeOldRows } from '../../../platform/work/retention.ts'
import type { Sweep } from '../../../platform/work/sweeps.ts'

/** Removes daily clicks after `RETENTION_SENDS_DAYS`, like sends. The total of a short URL stays. */
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

export const shortUrls = {
  name: 'short-urls',
  routes: [...Object.values(api), ...Object.values(redirects)],
  sweeps: [oldClicksSweep],
  retention: [{ tables: ['short_url_clicks'], sweep: oldClicksSweep }],
} satisfies Feature<Route>
