import type { Id } from '../../../platform/ids.ts'
import type { SecretBox } from '../../../platform/config/secrets.ts'

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
