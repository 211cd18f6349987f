import type { Route } from '../../../http/routes/route.ts'
import type { Feature } from '../../../platform/feature.ts'
import { emailEventsRoute } from './email-events.routes.ts'
import { twilioSmsRoute, twilioVoiceRoute } from './twilio.routes.ts'

/** What providers call us about: mails, messages and calls that were delivered, and people who answer. */
export const providerReports = {
  name: 'provider-reports',
  routes: [emailEventsRoute, twilioSmsRoute, twilioVoiceRoute],
} satisfies Feature<Route>
