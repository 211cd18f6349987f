/**
 * When work that failed is tried again. Webhook deliveries, sends and mail each have a plan; this file computes the
 * next attempt from it.
 */
export interface RetryPlan {
  /** The wait after the first failure, after the second, and so on. One failure more and the work is given up. */
  waitsSeconds: readonly number[]
  /** The longest wait that the other side may ask for. */
  longestSeconds: number
  /** Spreads each wait by this share in both directions, so that many failures do not return together; 0 without it. */
  jitter?: number
}

interface Asked {
  /** Seconds of a `Retry-After`, where the other side sent one. The longer of it and the plan's wait holds. */
  retryAfter?: number | null
  /** 0 to 1, for the jitter. */
  random?: number
}

/** The next attempt after so many failures, or null to give up. */
export function nextAttemptAt(
  plan: RetryPlan,
  failures: number,
  now: Date,
  { retryAfter, random = 0.5 }: Asked = {},
): Date | null {
  const wait = plan.waitsSeconds[failures - 1]
  if (wait === undefined) return null
  const { jitter = 0, longestSeconds } = plan
  const planned = wait * (1 - jitter + 2 * jitter * random)
  const asked = Math.min(retryAfter ?? 0, longestSeconds)
  return secondsAfter(now, Math.max(planned, asked))
}

export function secondsAfter(now: Date, seconds: number): Date {
  return new Date(now.getTime() + seconds * 1000)
}

/**
 * Seconds to wait by a `Retry-After` header (RFC 9110 §10.2.3): a number, rounded up, or an HTTP date where `now` is
 * given. Null when unreadable.
 */
export function retryAfterSeconds(header: string | string[] | null | undefined, now?: Date): number | null {
  if (typeof header !== 'string') return null
  if (/^\d{1,10}(?:\.\d{0,20})?$/.test(header.trim())) return Math.ceil(Number(header))
  // Date.parse reads more than HTTP dates: `-1` is a year.
  const date = now && /^[A-Z][a-z]{2}, /.test(header) ? Date.parse(header) : NaN
  return !now || Number.isNaN(date) ? null : Math.max(0, (date - now.getTime()) / 1000)
}
