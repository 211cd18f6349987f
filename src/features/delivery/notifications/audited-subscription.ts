import { auditOf } from '../../../platform/audit.ts'

/** Writes the audit entries of subscriptions. */
export const auditedSubscription = auditOf('notificationSubscription', {
  shows: ['event', 'channel', 'survey_ids', 'digest', 'language', 'enabled', 'disabled_reason'],
})
