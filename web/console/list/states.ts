import type { Schemas } from '../../api/client.ts'
import type { Tone } from '../../ui/status-tones.ts'

type Alert = Schemas['Alert']

/** The colour of each state of a survey. */
export const SURVEY_TONES = {
  draft: 'plain',
  live: 'ok',
  paused: 'warn',
  closed: 'plain',
  archived: 'plain',
} as const satisfies Record<Schemas['Survey']['state'], Tone>

/** Of alerts that are neither resolved nor closed. */
export const OPEN_STATUSES = [
  'new',
  'reopened',
  'acknowledged',
  'in_progress',
] as const satisfies readonly Alert['status'][]

/** From the least urgent on. */
export const PRIORITIES = ['low', 'normal', 'high', 'urgent'] as const satisfies readonly Alert['priority'][]
