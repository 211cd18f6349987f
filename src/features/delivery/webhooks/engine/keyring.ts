import type { Id } from '../../../../platform/ids.ts'
import type { SecretBox } from '../../../../platform/secrets.ts'
import { openSecret } from '../registration/signing-secret.ts'
import { signingKeys, type SigningKeys } from './signature.ts'

const SECRETS_AT_MOST = 10_000

/** Signing keys that one worker has opened. A rotated secret is sealed anew, and so opened again. */
export interface Keyring {
  /** @throws when no key of SECRETS_KEY opens the secret. */
  open(secrets: SecretBox, webhookId: Id<'webhook'>, sealed: string): SigningKeys
}

export function createKeyring(): Keyring {
  const opened = new Map<string, { sealed: string; keys: SigningKeys }>()
  return {
    open(secrets, webhookId, sealed) {
      const known = opened.get(webhookId)
      if (known?.sealed === sealed) return known.keys
      const keys = signingKeys(openSecret(secrets, webhookId, sealed))
      if (opened.size >= SECRETS_AT_MOST) opened.clear()
      opened.set(webhookId, { sealed, keys })
      return keys
    },
  }
}
