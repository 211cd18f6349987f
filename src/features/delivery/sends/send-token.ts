import type { SecretBox } from '../../../platform/config/secrets.ts'
import { readToken, signToken, type Ticket } from '../../../platform/config/signed-token.ts'

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
