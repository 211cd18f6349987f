import type { Id } from '../../../../platform/ids.ts'
import type { SecretBox } from '../../../../platform/config/secrets.ts'
import { openHeaders, type OwnHeaders } from '../registration/own-headers.ts'
import { openSecret } from '../registration/signing-secret.ts'
import { signingKeys, type SigningKeys } from './signature.ts'

const OPENED_AT_MOST = 10_000

/** Opened secrets and headers of one worker. A change seals them anew, and so they are opened again. */
export interface Keyring {
  /** @throws when no key of SECRETS_KEY opens the secret. */
  open(secrets: SecretBox, webhookId: Id<'webhook'>, sealed: string): SigningKeys
  /** The same for the webhook's own headers. */
  headers(secrets: SecretBox, webhookId: Id<'webhook'>, sealed: string): OwnHeaders
}

export function createKeyring(): Keyring {
  return {
    open: remembered((secrets, webhookId, sealed) => signingKeys(openSecret(secrets, webhookId, sealed))),
    headers: remembered(openHeaders),
  }
}

type Open<T> = (secrets: SecretBox, webhookId: Id<'webhook'>, sealed: string) => T

function remembered<T>(open: Open<T>): Open<T> {
  const opened = new Map<string, T>()
  return (secrets, webhookId, sealed) => {
    const known = opened.get(sealed)
    if (known !== undefined) return known
    const made = open(secrets, webhookId, sealed)
    if (opened.size >= OPENED_AT_MOST) opened.clear()
    opened.set(sealed, made)
    return made
  }
}
