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
