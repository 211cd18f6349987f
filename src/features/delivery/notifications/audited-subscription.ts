import { auditOf } from '../../../platform/audit.ts'
import { NotificationSubscription } from './notifications.schema.ts'

/** Writes the audit entries of subscriptions. Their language is that of a person. */
export const auditedSubscription = auditOf('notificationSubscription', {
  schema: NotificationSubscription,
  hides: ['language'],
})
