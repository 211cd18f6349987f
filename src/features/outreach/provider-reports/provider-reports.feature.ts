import type { Route } from '../../../http/routes/route.ts'
import type { Feature } from '../../../platform/feature.ts'
import { emailEventsRoute } from './email-events.routes.ts'
import { twilioSmsRoute, twilioVoiceRoute } from './twilio.routes.ts'

/** Calls of providers: about mails, messages and calls that were delivered, and about people who answer. */
export const providerReports = {
  name: 'provider-reports',
  routes: [emailEventsRoute, twilioSmsRoute, twilioVoiceRoute],
} satisfies Feature<Route>
