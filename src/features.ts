import { signUps } from './features/access/sign-up/sign-up.routes.ts'
import { account } from './features/access/account/account.routes.ts'
import { workspaces } from './features/access/workspaces/org.routes.ts'
import { createAssets } from './features/access/assets/assets.routes.ts'
import { listLookUses } from './features/access/workspaces/org.service.ts'
import { createMembers } from './features/access/members/members.feature.ts'
import { roles } from './features/access/roles/roles.routes.ts'
import { apiKeys } from './features/access/api-keys/api-keys.routes.ts'
import { sessions } from './features/access/sessions/sessions.feature.ts'
import { users } from './features/access/users/users.feature.ts'
import { verification } from './features/access/verification/verification.routes.ts'
import { passwordResets } from './features/access/password-resets/password-resets.feature.ts'
import { downloads } from './features/access/downloads/downloads.routes.ts'
import { mail } from './features/access/mail/mail.feature.ts'
import { auditLog } from './features/trust/audit/audit.feature.ts'
import { createDataProtection } from './features/trust/data-protection/data-protection.feature.ts'
import { listPictureUses } from './features/surveys/surveys/pictures.service.ts'
import { createSurveys } from './features/surveys/surveys/surveys.routes.ts'
import { surveyLinks } from './features/surveys/survey-links/survey-links.routes.ts'
import { agents } from './features/surveys/agents/agents.feature.ts'
import { events } from './features/delivery/events/events.routes.ts'
import { webhooks } from './features/delivery/webhooks/webhooks.feature.ts'
import { publishing } from './features/delivery/publishing/publishing.feature.ts'
import { notifications } from './features/delivery/notifications/notifications.feature.ts'
import { sends } from './features/delivery/sends/sends.routes.ts'
import { createExportedResponses } from './features/answers/exported-responses/exported-responses.feature.ts'
import { exportedMarks } from './features/answers/verbatim/exporting.service.ts'
import { verbatim } from './features/answers/verbatim/verbatim.feature.ts'
import { readActivity } from './features/answers/reporting/report/activity.service.ts'
import { responses } from './features/answers/responses/responses.feature.ts'
import { createCapture } from './features/answers/capture/capture.routes.ts'
import { embedding } from './features/answers/embedding/embedding.routes.ts'
import { reporting } from './features/answers/reporting/report/reporting.routes.ts'
import { backfills } from './features/answers/backfills/backfills.routes.ts'
import { invitations } from './features/outreach/invitations/invitations.feature.ts'
import { messages } from './features/outreach/messages/messages.feature.ts'
import { listPictureTemplates } from './features/outreach/email-templates/email-templates.service.ts'
import { emailTemplates } from './features/outreach/email-templates/email-templates.routes.ts'
import { suppression } from './features/outreach/suppression/suppression.routes.ts'
import { refuseErased } from './features/outreach/suppression/suppression.service.ts'
import { tracking } from './features/outreach/tracking/tracking.routes.ts'
import { inboundNumbers } from './features/outreach/inbound-numbers/inbound-numbers.routes.ts'
import { conversations } from './features/outreach/conversations/conversations.routes.ts'
import { shortUrls } from './features/outreach/short-urls/short-urls.routes.ts'
import { createPeople } from './features/outreach/people/people.routes.ts'
import { providerReports } from './features/outreach/provider-reports/provider-reports.feature.ts'
import { previews } from './features/outreach/previews/previews.routes.ts'
import { createSegments } from './features/outreach/segments/segments.feature.ts'
import { listSegmentUses } from './features/outreach/invitations/segment-invitations.service.ts'
import { listPersonSkips } from './features/outreach/invitations/skips.service.ts'
import { createAdept } from './features/programme/adept/adept.routes.ts'
import { listRuleUses } from './features/programme/alerts/rules/known-rules.service.ts'
import { badges } from './features/programme/badges/badges.routes.ts'
import { knownBadges, showBadge } from './features/programme/badges/badges.service.ts'
import { alerts } from './features/programme/alerts/alerts.feature.ts'
import { listPersonAlerts } from './features/programme/alerts/timeline.service.ts'
import { listNear } from './features/answers/verbatim/search/near.service.ts'
import { leadingThemes } from './features/answers/verbatim/topics/themes.service.ts'
import { countTopicsOfAgent } from './features/answers/verbatim/topics/themes.store.ts'
import { leads } from './features/programme/leads/leads.feature.ts'
import { createLeaderboards } from './features/programme/leaderboards/figures.routes.ts'
import { proxy } from './features/programme/proxy/proxy.routes.ts'
import { createDashboards } from './features/programme/dashboards/dashboards.routes.ts'
import { listSegmentUses as listDashboardUses } from './features/programme/dashboards/dashboards.service.ts'
import { batches } from './features/programme/batches/batches.feature.ts'
import { filterViews } from './features/programme/filter-views/filter-views.routes.ts'
import { listTemplateUses } from './features/exports/exports/templates/templates.service.ts'
import { fields } from './features/exports/fields/fields.routes.ts'
import { createExports } from './features/exports/exports/exports.feature.ts'
import { scheduledReports } from './features/programme/scheduled-reports/reports.feature.ts'
import { listDashboardUses as listReportUses } from './features/programme/scheduled-reports/reports.service.ts'
import { system } from './features/operations/system/system.routes.ts'
import { stream } from './features/operations/stream/stream.routes.ts'
import { probes } from './features/operations/probes/probes.routes.ts'
import type { Route } from './http/routes/route.ts'
import { upkeep } from './http/upkeep.ts'
import type { Feature } from './platform/feature.ts'
import { addEntity } from './platform/fields/catalogue.ts'
import { addParts } from './platform/fields/parts.ts'
import type { PersonalData } from './platform/personal.ts'
import type { ListName } from './platform/readers.ts'
import { addFields, setGuard, type EntityName } from './platform/filter/entity.ts'

/**
 * Every feature, by district. A district imports only itself and those above it. To delete a feature, delete its folder
 * and its line here; then follow the compiler and the tests to its id prefix, permissions, makers and tables. The order
 * is that of the reference, and decides nothing else.
 */
export const features: Array<Feature<Route>> = [
  // access
  signUps,
  account,
  workspaces,
  createAssets([listLookUses, listPictureUses, listPictureTemplates]),
  createMembers(refuseErased),
  roles,
  apiKeys,
  sessions,
  users,
  verification,
  passwordResets,
  downloads,
  mail,
  // trust
  auditLog,
  // surveys
  createSurveys(knownBadges, readActivity),
  surveyLinks,
  agents,
  // delivery
  events,
  publishing,
  webhooks,
  notifications,
  sends,
  // answers
  responses,
  verbatim,
  createExportedResponses([exportedMarks]),
  createCapture(showBadge),
  embedding,
  reporting,
  backfills,
  // outreach
  invitations,
  messages,
  emailTemplates,
  suppression,
  tracking,
  inboundNumbers,
  conversations,
  providerReports,
  previews,
  shortUrls,
  createPeople([listPersonAlerts, listPersonSkips]),
  createSegments([listSegmentUses, listRuleUses, listDashboardUses, listTemplateUses]),
  // programme
  createAdept({ themes: leadingThemes, near: listNear }),
  badges,
  alerts,
  leads,
  createLeaderboards(countTopicsOfAgent),
  proxy,
  createDashboards([listReportUses]),
  scheduledReports,
  filterViews,
  batches,
  // exports
  createExports(listPersonal),
  fields,
  // operations
  system,
  stream,
  probes,
  // trust
  createDataProtection(listPersonal),
]

/** The personal data of every feature. It is asked for when all of them are there. */
function listPersonal(): PersonalData[] {
  return [...features, upkeep].flatMap(({ personal }) => personal ?? [])
}

for (const { entities = {}, parts = {} } of features) {
  addParts(parts)
  for (const [name, entity] of Object.entries(entities)) {
    addFields(name as EntityName, entity.filters)
    addEntity(name as ListName, entity)
  }
}
// After the entities, because a feature may give a field of another's entity more operators.
for (const { fields: added = {}, guards = {} } of features) {
  for (const [entity, more] of Object.entries(added)) addFields(entity as EntityName, more)
  for (const [entity, guard] of Object.entries(guards)) setGuard(entity as EntityName, guard)
}
