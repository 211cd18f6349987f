import type { Feature } from '../../../platform/feature.ts'
import { listEventsRoute } from './events.routes.ts'

export const events = {
  name: 'events',
  routes: [listEventsRoute],
} satisfies Feature
