import { randomBytes } from 'node:crypto'
import type { Id } from '../../../../platform/ids.ts'
import { MASK } from '../../../../platform/schemas/secret-schema.ts'
import type { SecretBox } from '../../../../platform/config/secrets.ts'

const PREFIX = 'whsec_'
const SHOWN_CHARACTERS = 4

/** `whsec_` and 64 hex characters (docs/specification.md, "Limits"). */
export function newSigningSecret(): string {
  return `${PREFIX}${randomBytes(32).toString('hex')}`
}

/** A secret as it is stored, bound to its webhook, and the characters of it that are shown later. */
export interface SealedSecret {
  sealed: string
  preview: string
}

export function sealSecret(secrets: SecretBox, id: Id<'webhook'>, secret: string): SealedSecret {
  const preview = secret.slice(PREFIX.length, PREFIX.length + SHOWN_CHARACTERS)
  return { sealed: secrets.seal(secret, contextOf(id)), preview }
}

/** @throws when no key of SECRETS_KEY opens it. */
export function openSecret(secrets: SecretBox, id: Id<'webhook'>, sealed: string): string {
  return secrets.open(sealed, contextOf(id))
}

export function maskedSecret(preview: string): string {
  return `${PREFIX}${preview}${MASK}`
}

function contextOf(id: Id<'webhook'>): string {
  return `webhooks.secret:${id}`
}
