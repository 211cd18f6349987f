import { createHmac, createSecretKey, hash, type KeyObject } from 'node:crypto'

/** Attempts before a delivery is dead-lettered (source specification, Limits). */
export const MAX_ATTEMPTS = 5
/** For one attempt, resolving and reading included (contract §4). */
export const ATTEMPT_TIMEOUT_MS = 15_000
const LONGEST_RETRY_AFTER_MS = 2 * 3_600_000
const JITTER = 0.2

export interface Subscription {
  events: string[]
  survey_ids: string[]
}

/** Whether an event goes to a webhook: an empty list takes everything, a survey scope needs a survey. */
export function matches(subscription: Subscription, event: { type: string; surveyId: string | null }): boolean {
  if (subscription.events.length > 0 && !subscription.events.includes(event.type)) return false
  if (subscription.survey_ids.length === 0) return true
  return event.surveyId !== null && subscription.survey_ids.includes(event.surveyId)
}

export interface Toggles {
  include_text: boolean
  include_custom_data: boolean
  include_answers: boolean
}

export interface EventEnvelope {
  id: string
  type: string
  createdAt: string
  /** JSON of the unredacted `data`. */
  data: string
}

export interface RenderedBody {
  body: string
  /** Names of the sections that a toggle took out. */
  omitted: string[]
}

// `score` is an answer in another form, so it goes with them.
const SECTIONS: Array<{ name: string; toggle: keyof Toggles; members: string[] }> = [
  { name: 'answers', toggle: 'include_answers', members: ['answers', 'score'] },
  { name: 'text', toggle: 'include_text', members: ['text'] },
  { name: 'customData', toggle: 'include_custom_data', members: ['customData'] },
]

/**
 * The exact bytes of a delivery. The same event and toggles always give the same string, so a retry
 * carries the body of the first attempt unless a toggle changed or an erasure took something out.
 */
export function renderBody(event: EventEnvelope, toggles: Toggles): RenderedBody {
  const data = JSON.parse(event.data) as Record<string, unknown>
  const present = SECTIONS.filter((section) => section.name in data)
  const omitted = present.filter((section) => !toggles[section.toggle])
  for (const section of omitted) for (const member of section.members) delete data[member]
  const names = omitted.map((section) => section.name)
  const shown = present.length > 0 ? { ...data, omitted: names } : data
  const body = JSON.stringify({ id: event.id, type: event.type, createdAt: event.createdAt, apiVersion: 'v1', data: shown })
  return { body, omitted: names }
}

export function sha256(body: string): string {
  return hash('sha256', body)
}

/** The two keys of a signing secret, prepared once: making them takes longer than signing with them. */
export interface SigningKeys {
  /** The whole secret string, for `X-VOC-Signature`. */
  whole: KeyObject
  /** The bytes after `whsec_`, for `webhook-signature`. */
  decoded: KeyObject
}

export function signingKeys(secret: string): SigningKeys {
  return { whole: createSecretKey(secret, 'utf8'), decoded: createSecretKey(secret.replace(/^whsec_/, ''), 'base64') }
}

/** `v1=` and the lower-case hex HMAC-SHA256 of `<timestamp>.<body>`, keyed with the whole secret string. */
export function sign(key: KeyObject | string, timestamp: number, body: string): string {
  return `v1=${createHmac('sha256', key).update(`${timestamp}.${body}`).digest('hex')}`
}

/** Standard Webhooks 1.0: `v1,` and base64 HMAC-SHA256 of `<id>.<timestamp>.<body>`, keyed with the decoded part after `whsec_`. */
export function signStandard(key: KeyObject, id: string, timestamp: number, body: string): string {
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
}

/** Headers of one attempt (source specification, "Outbound request format"); unsigned without keys. */
export function attemptHeaders(request: {
  deliveryId: string
  keys: SigningKeys | null
  timestamp: number
  body: string
  version: string
}): Record<string, string> {
  const { deliveryId, keys, timestamp, body, version } = request
  const plain = { 'Content-Type': 'application/json', 'User-Agent': `Earshot/${version}` }
  if (keys === null) return plain
  return {
    ...plain,
    'X-VOC-Timestamp': String(timestamp),
    'X-VOC-Signature': sign(keys.whole, timestamp, body),
    'webhook-id': deliveryId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signStandard(keys.decoded, deliveryId, timestamp, body),
  }
}

/** What came of one attempt: an answer, or an error before one was complete. */
export interface Outcome {
  statusCode: number | null
  error: string | null
  /** Milliseconds; null when the target never answered. */
  latencyMs: number | null
  excerpt: string | null
  retryAfter: string | null
}

export function isDelivered(outcome: Outcome): boolean {
  return outcome.statusCode !== null && outcome.statusCode >= 200 && outcome.statusCode < 300 && outcome.error === null
}

export interface DeliveryState {
  status: 'delivered' | 'failed'
  deadLettered: boolean
  attempts: number
  nextAttemptAt: Date | null
}

/**
 * The state after an attempt (source specification, "States and transitions").
 * @param attempts how many there were before this one.
 * @param retrySeconds waits after the first to fourth failure.
 * @param random 0 to 1; spreads the wait by ±20 %.
 */
export function afterAttempt(attempts: number, outcome: Outcome, now: Date, retrySeconds: number[], random: number): DeliveryState {
  const counted = attempts + 1
  if (isDelivered(outcome)) return { status: 'delivered', deadLettered: false, attempts: counted, nextAttemptAt: null }
  if (counted >= MAX_ATTEMPTS) return { status: 'failed', deadLettered: true, attempts: counted, nextAttemptAt: null }
  const planned = (retrySeconds[counted - 1] ?? 0) * 1000 * (1 - JITTER + 2 * JITTER * random)
  const asked = Math.min(parseRetryAfter(outcome.retryAfter, now), LONGEST_RETRY_AFTER_MS)
  return { status: 'failed', deadLettered: false, attempts: counted, nextAttemptAt: new Date(now.getTime() + Math.max(planned, asked)) }
}

/** Milliseconds to wait by a `Retry-After` header: seconds, or an HTTP date (RFC 9110 §10.2.3); 0 when unreadable. */
export function parseRetryAfter(header: string | null, now: Date): number {
  if (header === null) return 0
  if (/^\d{1,10}$/.test(header)) return Number(header) * 1000
  const date = Date.parse(header)
  return Number.isNaN(date) ? 0 : Math.max(0, date - now.getTime())
}

/** How an outcome reads in the ledger. */
export function describeFailure(outcome: Outcome): string | null {
  if (isDelivered(outcome)) return null
  if (outcome.error !== null) return outcome.error
  if (outcome.statusCode !== null && outcome.statusCode >= 300 && outcome.statusCode < 400) return `HTTP ${outcome.statusCode}: redirects are not followed`
  return `HTTP ${outcome.statusCode}`
}
