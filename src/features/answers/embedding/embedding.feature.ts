import type { Feature } from '../../../platform/feature.ts'
import type { Route } from '../../../http/routes/route.ts'
import * as routes from './embedding.routes.ts'
import { removeOldRows } from '../../../platform/work/retention.ts'
import type { Sweep } from '../../../platform/work/sweeps.ts'
import { KEPT_DAYS } from './embeds.service.ts'

/** Forgets websites on which a survey was not seen for 90 days. */
export const oldEmbedsSweep: Sweep = {
  name: 'embedding.retention',
  everySeconds: 3600,
  run: (system, options) =>
    removeOldRows(system, options, { table: 'survey_embeds', agedBy: 'last_seen_at', days: KEPT_DAYS }),
}

export const embedding = {
  name: 'embedding',
  routes: Object.values(routes),
  sweeps: [oldEmbedsSweep],
  retention: [{ tables: ['survey_embeds'], sweep: oldEmbedsSweep }],
} satisfies Feature<Route>
