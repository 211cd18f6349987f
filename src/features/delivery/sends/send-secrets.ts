import type { Id } from '../../../platform/ids.ts'
import type { SecretBox } from '../../../platform/config/secrets.ts'
import type { CustomData } from '../../../survey-engine/model/definition.ts'
import { readToken, signToken, type Ticket } from '../../../platform/config/signed-token.ts'

/** The person that a send goes to, as sealed into its row. */
export interface Recipient {
  address: string
  name: string
  /** IANA name, where the sender knew it. */
  timezone: string | null
  customData: CustomData
  /** Every address that the sender knew, for reminders on another channel. Absent in older rows. */
  contact?: { email: string | null; phone: string | null }
}

/** A sealed recipient opens in its own row only; a reminder has its own copy. */
export function sealRecipient(secrets: SecretBox, id: Id<'send'>, recipient: Recipient): string {
  return secrets.seal(JSON.stringify(recipient), `sends:${id}`)
}

export function openRecipient(secrets: SecretBox, id: Id<'send'>, sealed: string): Recipient {
  return JSON.parse(secrets.open(sealed, `sends:${id}`)) as Recipient
}

/**
 * The uses of a send's public tokens: answering its survey, counting that it was opened, unsubscribing, and
 * `voc_delivery`, which a provider hands back with its events.
 */
export type SendTokenKind = 'respond' | 'open' | 'unsubscribe' | 'delivery'

export function sendToken(secrets: SecretBox, kind: SendTokenKind, ticket: Ticket<'send'>): string {
  return signToken(secrets, `send:${kind}`, ticket)
}

/** Null for anything that this server did not sign for this purpose. */
export function readSendToken(secrets: SecretBox, kind: SendTokenKind, token: string): Ticket<'send'> | null {
  return readToken<'send'>(secrets, `send:${kind}`, token)
}
