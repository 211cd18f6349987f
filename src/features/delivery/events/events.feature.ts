import { onOpened } from './notified.service.ts'
import type { Feature } from '../../../platform/feature.ts'
import { listEventsRoute } from './events.routes.ts'
import { oldEventsSweep } from './events.sweeps.ts'
import { personal } from './personal.service.ts'

export const events = {
  name: 'events',
  listeners: [onOpened],
  routes: [listEventsRoute],
  sweeps: [oldEventsSweep],
  retention: [{ tables: ['events', 'webhook_deliveries'], sweep: oldEventsSweep }],
  personal,
} satisfies Feature
