import type { Feature } from '../../../platform/feature.ts'
import { onDisabled } from './disabled.service.ts'
import { onOpened } from './notified.service.ts'
import { oldEventsSweep } from './publishing.sweeps.ts'
import { personal } from './removal.service.ts'

export const publishing = {
  name: 'publishing',
  listeners: [onOpened, onDisabled],
  sweeps: [oldEventsSweep],
  retention: [{ tables: ['events', 'webhook_deliveries'], sweep: oldEventsSweep }],
  personal,
} satisfies Feature
