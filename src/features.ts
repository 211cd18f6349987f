import { backfills } from './features/backfills/backfills.feature.ts'
import { apiKeys } from './features/api-keys/api-keys.feature.ts'
import { capture } from './features/capture/capture.feature.ts'
import { emailTemplates } from './features/email-templates/email-templates.feature.ts'
import { events } from './features/events/events.feature.ts'
import { mail } from './features/mail/mail.feature.ts'
import { members } from './features/members/members.feature.ts'
import { passwordResets } from './features/password-resets/password-resets.feature.ts'
import { probes } from './features/probes/probes.feature.ts'
import { reports } from './features/reports/reports.feature.ts'
import { responses } from './features/responses/responses.feature.ts'
import { roles } from './features/roles/roles.feature.ts'
import { sessions } from './features/sessions/sessions.feature.ts'
import { shortUrls } from './features/short-urls/short-urls.feature.ts'
import { suppression } from './features/suppression/suppression.feature.ts'
import { surveyLinks } from './features/survey-links/survey-links.feature.ts'
import { surveys } from './features/surveys/surveys.feature.ts'
import { system } from './features/system/system.feature.ts'
import { tracking } from './features/tracking/tracking.feature.ts'
import { webhooks } from './features/webhooks/webhooks.feature.ts'
import { workspaces } from './features/workspaces/workspaces.feature.ts'
import { dispatch } from './features/dispatch/dispatch.feature.ts'
import { invitations } from './features/invitations/invitations.feature.ts'
import { conversations } from './features/conversations/conversations.feature.ts'
import { inboundNumbers } from './features/inbound-numbers/inbound-numbers.feature.ts'
import { emailEvents } from './features/email-events/email-events.feature.ts'
import { notifications } from './features/notifications/notifications.feature.ts'
import { sends } from './features/sends/sends.feature.ts'
import type { Route } from './http/route.ts'
import type { Feature } from './platform/feature.ts'

/** Everything that is plugged in. Deleting a feature is deleting its folder and its line here. */
export const features: Array<Feature<Route>> = [
  probes,
  workspaces,
  sessions,
  passwordResets,
  members,
  roles,
  apiKeys,
  mail,
  system,
  surveys,
  surveyLinks,
  capture,
  responses,
  reports,
  events,
  webhooks,
  backfills,
  suppression,
  emailTemplates,
  tracking,
  shortUrls,
  sends,
  invitations,
  dispatch,
  emailEvents,
  inboundNumbers,
  conversations,
  notifications,
]
