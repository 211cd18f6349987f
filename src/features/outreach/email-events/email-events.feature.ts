import type { Feature } from '../../../platform/feature.ts'
import { emailEventsRoute } from './email-events.routes.ts'

export const emailEvents = { name: 'email-events', routes: [emailEventsRoute] } satisfies Feature
