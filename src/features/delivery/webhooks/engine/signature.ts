import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'
import type { OwnHeaders } from '../registration/own-headers.ts'

/** The two keys of a signing secret, prepared once: making them takes longer than signing with them. */
export interface SigningKeys {
  /** The whole secret string, for `X-VOC-Signature`. */
  whole: KeyObject
  /** The bytes after `whsec_`, for `webhook-signature`. */
  decoded: KeyObject
}

export function signingKeys(secret: string): SigningKeys {
  const decoded = createSecretKey(secret.replace(/^whsec_/, ''), 'base64')
  return { whole: createSecretKey(secret, 'utf8'), decoded }
}

/** Headers of one attempt (docs/specification.md, "Signing"); unsigned without keys. */
export function attemptHeaders(request: {
  deliveryId: string
  /** The present key first, then one that still counts. Empty: unsigned. */
  keys: SigningKeys[]
  timestamp: number
  body: string
  version: string
  own: OwnHeaders
}): Record<string, string> {
  const { deliveryId, keys, timestamp, body, version, own } = request
  const plain = { ...own, Accept: '*/*', 'Content-Type': 'application/json', 'User-Agent': `Earshot/${version}` }
  const [present] = keys
  if (!present) return plain
  return {
    ...plain,
    'X-VOC-Timestamp': String(timestamp),
    'X-VOC-Signature': sign(present.whole, timestamp, body),
    'webhook-id': deliveryId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': keys.map(({ decoded }) => signStandard(decoded, deliveryId, timestamp, body)).join(' '),
  }
}

/** `v1=` and the lower-case hex HMAC-SHA256 of `<timestamp>.<body>`, keyed with the whole secret string. */
export function sign(key: KeyObject | string, timestamp: number, body: string): string {
  return `v1=${createHmac('sha256', key).update(`${timestamp}.`).update(body).digest('hex')}`
}

// Standard Webhooks 1.0: `v1,` and the base64 HMAC-SHA256 of `<id>.<timestamp>.<body>`, keyed with the decoded part.
function signStandard(key: KeyObject, id: string, timestamp: number, body: string): string {
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')}`
}

/** Whether the signatures of a request fit its body, as a receiver with the present secret checks them. */
export function verifies(
  key: SigningKeys,
  headers: Record<string, string>,
  body: string,
): { voc: boolean; standard: boolean } {
  const standard = signStandard(key.decoded, headers['webhook-id'] ?? '', Number(headers['webhook-timestamp']), body)
  return {
    voc: headers['X-VOC-Signature'] === sign(key.whole, Number(headers['X-VOC-Timestamp']), body),
    standard: (headers['webhook-signature'] ?? '').split(' ').includes(standard),
  }
}
