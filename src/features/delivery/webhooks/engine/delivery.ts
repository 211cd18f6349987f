import { nextAttemptAt as nextAttempt, retryAfterSeconds } from '../../../../platform/loop/retry.ts'

/** Attempts before a delivery is dead-lettered (docs/specification.md, "Retries"). */
export const MAX_ATTEMPTS = 5
const LONGEST_RETRY_AFTER_SECONDS = 2 * 3_600
const JITTER = 0.2

/** The result of one attempt: an answer, or an error before one was complete. */
export interface Outcome {
  statusCode: number | null
  error: string | null
  /** Milliseconds; null when the target never answered. */
  latencyMs: number | null
  excerpt: string | null
  /** The headers of the answer, as they may be logged. */
  responseHeaders: string | null
  /** The address that was dialled. Null if none was, or nobody knows. */
  address: string | null
  retryAfter: string | null
}

export interface DeliveryState {
  status: 'delivered' | 'failed'
  deadLettered: boolean
  attempts: number
  nextAttemptAt: Date | null
}

/**
 *     pending ──2xx──▶ delivered                  (docs/specification.md, "Retries")
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
  const plan = { waitsSeconds: retrySeconds, longestSeconds: LONGEST_RETRY_AFTER_SECONDS, jitter: JITTER }
  const retryAfter = retryAfterSeconds(outcome.retryAfter, now)
  const nextAttemptAt = nextAttempt(plan, counted, now, { retryAfter, random })
  return { status: 'failed', deadLettered: false, attempts: counted, nextAttemptAt }
}

export function isDelivered(outcome: Outcome): boolean {
  return outcome.statusCode !== null && outcome.statusCode >= 200 && outcome.statusCode < 300 && outcome.error === null
}

/** The outcome as the log shows it; null for a success. */
export function describeFailure(outcome: Outcome): string | null {
  if (isDelivered(outcome)) return null
  const { statusCode, error } = outcome
  if (error !== null) return error
  const isRedirect = statusCode !== null && statusCode >= 300 && statusCode < 400
  return isRedirect ? `HTTP ${statusCode}: redirects are not followed` : `HTTP ${statusCode}`
}
