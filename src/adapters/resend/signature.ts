import { createHmac, timingSafeEqual } from 'node:crypto'

const TOLERANCE_SECONDS = 300

export interface SignedMessage {
  id: string
  /** Unix time in seconds, as sent. */
  timestamp: string
  /** Space-separated `v1,<base64>` values. */
  signatures: string
  body: Uint8Array
}

/**
 * Whether an email provider signed this message, by Standard Webhooks and Svix (docs/specification.md, "Email
 * callbacks"): HMAC-SHA256 over `<id>.<timestamp>.<body>` with the decoded secret is among the values that were sent,
 * and the timestamp is at most 300 s away.
 * @param secret `whsec_` and base64.
 */
export function isSigned({ id, timestamp, signatures, body }: SignedMessage, secret: string, now: Date): boolean {
  if (!/^\d{1,12}$/.test(timestamp)) return false
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest()
  const fresh = Math.abs(now.getTime() / 1000 - Number(timestamp)) <= TOLERANCE_SECONDS
  let found = false
  for (const value of signatures.split(' ')) {
    const given = Buffer.from(/^v1,([A-Za-z0-9+/]{43}=)$/.exec(value)?.[1] ?? '', 'base64')
    if (given.length === expected.length && timingSafeEqual(given, expected)) found = true
  }
  return found && fresh
}
