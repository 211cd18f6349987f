/** Attempts before a delivery is dead-lettered (source specification, Limits). */
export const MAX_ATTEMPTS = 5
const LONGEST_RETRY_AFTER_MS = 2 * 3_600_000
const JITTER = 0.2

/** The result of one attempt: an answer, or an error before one was complete. */
export interface Outcome {
  statusCode: number | null
  error: string | null
  /** Milliseconds; null when the target never answered. */
  latencyMs: number | null
  excerpt: string | null
  retryAfter: string | null
}

export interface DeliveryState {
  status: 'delivered' | 'failed'
  deadLettered: boolean
  attempts: number
  nextAttemptAt: Date | null
}

/**
 *     pending ──2xx──▶ delivered                  (source specification, "States and transitions")
 *        │                 ▲
 *        └─failure─▶ failed, waits for a retry ──fifth failure──▶ failed, dead-lettered ──replay──▶ pending
 *
 * @param attempts how many there were before this one.
 * @param retrySeconds waits after the first to fourth failure.
 * @param random 0 to 1; spreads the wait by ±20 %.
 */
export function afterAttempt(
  attempts: number,
  outcome: Outcome,
  now: Date,
  retrySeconds: number[],
  random: number,
): DeliveryState {
  const counted = attempts + 1
  if (isDelivered(outcome)) return { status: 'delivered', deadLettered: false, attempts: counted, nextAttemptAt: null }
  if (counted >= MAX_ATTEMPTS) return { status: 'failed', deadLettered: true, attempts: counted, nextAttemptAt: null }
  const planned = (retrySeconds[counted - 1] ?? 0) * 1000 * (1 - JITTER + 2 * JITTER * random)
  const asked = Math.min(parseRetryAfter(outcome.retryAfter, now), LONGEST_RETRY_AFTER_MS)
  const nextAttemptAt = new Date(now.getTime() + Math.max(planned, asked))
  return { status: 'failed', deadLettered: false, attempts: counted, nextAttemptAt }
}

export function isDelivered(outcome: Outcome): boolean {
  return outcome.statusCode !== null && outcome.statusCode >= 200 && outcome.statusCode < 300 && outcome.error === null
}

/** Milliseconds to wait by a `Retry-After` header: seconds, or an HTTP date (RFC 9110 §10.2.3); 0 when unreadable. */
export function parseRetryAfter(header: string | null, now: Date): number {
  if (header === null) return 0
  if (/^\d{1,10}$/.test(header)) return Number(header) * 1000
  const date = Date.parse(header)
  return Number.isNaN(date) ? 0 : Math.max(0, date - now.getTime())
}

/** The outcome as the log tells it; null for a success. */
export function describeFailure(outcome: Outcome): string | null {
  if (isDelivered(outcome)) return null
  const { statusCode, error } = outcome
  if (error !== null) return error
  const isRedirect = statusCode !== null && statusCode >= 300 && statusCode < 400
  return isRedirect ? `HTTP ${statusCode}: redirects are not followed` : `HTTP ${statusCode}`
}
