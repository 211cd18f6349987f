import { randomBytes } from 'node:crypto'
import type { Id } from '../../../platform/ids.ts'
import type { SecretBox } from '../../../platform/config/secrets.ts'

const PURPOSE = 'survey-link'
const NONCE_BYTES = 12
const EXPIRY_BYTES = 6
const MAC_BYTES = 16
const LENGTH = Math.ceil(((NONCE_BYTES + EXPIRY_BYTES + MAC_BYTES) * 8) / 6)

export type LinkToken = { kind: 'valid'; ticket: string } | { kind: 'expired' }

/**
 * The token of one single-use link: 46 characters of base64url with a random ticket, an expiry in seconds since 1970
 * (0: none) and 16 bytes of HMAC-SHA256. It works for one survey and is stored nowhere.
 */
export function makeLinkToken(secrets: SecretBox, surveyId: Id<'survey'>, expiresAt: Date | null): string {
  const body = Buffer.alloc(NONCE_BYTES + EXPIRY_BYTES)
  randomBytes(NONCE_BYTES).copy(body)
  body.writeUIntBE(expiresAt ? Math.floor(expiresAt.getTime() / 1000) : 0, NONCE_BYTES, EXPIRY_BYTES)
  return Buffer.concat([body, secrets.sign(body, `${PURPOSE}:${surveyId}`).subarray(0, MAC_BYTES)]).toString(
    'base64url',
  )
}

/** Null unless this server made the token for this survey. */
export function readLinkToken(secrets: SecretBox, surveyId: Id<'survey'>, token: string, now: Date): LinkToken | null {
  if (token.length !== LENGTH || !/^[\w-]+$/.test(token)) return null
  const bytes = Buffer.from(token, 'base64url')
  const body = bytes.subarray(0, NONCE_BYTES + EXPIRY_BYTES)
  if (
    bytes.toString('base64url') !== token ||
    !secrets.verify(body, bytes.subarray(body.length), `${PURPOSE}:${surveyId}`)
  )
    return null
  const expires = body.readUIntBE(NONCE_BYTES, EXPIRY_BYTES)
  if (expires !== 0 && now.getTime() >= expires * 1000) return { kind: 'expired' }
  return { kind: 'valid', ticket: `link:${body.subarray(0, NONCE_BYTES).toString('base64url')}` }
}
