import type { Id } from '../../../platform/ids.ts'
import type { SecretBox } from '../../../platform/config/secrets.ts'
import { auditOf } from '../../../platform/audit.ts'
import { nextTime } from '../../../platform/work/cron.ts'
import { NotificationSubscription } from './notifications.schema.ts'

/** The URL of a chat as it is stored. A person who knows it can write into the chat, so it is sealed. */
export function sealTarget(secrets: SecretBox, id: Id<'notificationSubscription'>, url: string): string {
  return secrets.seal(url, contextOf(id))
}

/** @throws when no key of SECRETS_KEY opens it. */
export function openTarget(secrets: SecretBox, id: Id<'notificationSubscription'>, sealed: string): string {
  return secrets.open(sealed, contextOf(id))
}

/** The URL as people see it: the host alone. */
export function maskedTarget(host: string): string {
  return `${host}…`
}

function contextOf(id: Id<'notificationSubscription'>): string {
  return `notification_subscriptions.target:${id}`
}

const CRON = { daily: '0 8 * * *', weekly: '0 8 * * 1' }

/** The next digest after a moment: at 8:00 in the workspace's zone, weekly on Mondays. */
export function nextDigestAt(digest: keyof typeof CRON, timezone: string, after: Date): Date {
  const next = nextTime({ cron: CRON[digest], timezone }, after)
  if (!next) throw new Error('a digest has no next time')
  return next
}

/** Writes the audit entries of subscriptions. Their language is that of a person. */
export const auditedSubscription = auditOf('notificationSubscription', {
  schema: NotificationSubscription,
  hides: ['language'],
})
