import type { Feature } from '../../../platform/feature.ts'
import { onDisabled, onOpened } from './publishing.service.ts'
import { personal, removeOldEvents } from './removal.service.ts'
import type { Sweep } from '../../../platform/work/sweeps.ts'

/** Removes events and their deliveries after `RETENTION_PAYLOADS_DAYS`. */
export const oldEventsSweep: Sweep = { name: 'events.retention', everySeconds: 3600, run: removeOldEvents }

export const publishing = {
  name: 'publishing',
  listeners: [onOpened, onDisabled],
  sweeps: [oldEventsSweep],
  retention: [{ tables: ['events', 'webhook_deliveries'], sweep: oldEventsSweep }],
  personal,
} satisfies Feature
