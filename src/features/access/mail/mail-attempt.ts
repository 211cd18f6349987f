const MAX_ATTEMPTS = 5

const SECOND_MS = 1000
const DELAYS_MS = [30 * SECOND_MS, 120 * SECOND_MS, 600 * SECOND_MS, 3600 * SECOND_MS]

type Next = { status: 'sent' | 'failed' | 'pending'; attempts: number; nextAttemptAt: Date | null; lastError: string | null }

/** What becomes of a mail after one more attempt: sent, tried again later, or given up after the fifth. */
export function afterAttempt(attempts: number, error: string | null, now: Date): Next {
  const counted = attempts + 1
  if (error === null) return { status: 'sent', attempts: counted, nextAttemptAt: null, lastError: null }
  if (counted >= MAX_ATTEMPTS) return { status: 'failed', attempts: counted, nextAttemptAt: null, lastError: error }
  const delayMs = DELAYS_MS[attempts] ?? 3600 * SECOND_MS
  return { status: 'pending', attempts: counted, nextAttemptAt: new Date(now.getTime() + delayMs), lastError: error }
}

/** A code such as `EENVELOPE`; never the message, in which providers quote the recipient. */
export function errorCode(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  return 'code' in error && typeof error.code === 'string' ? error.code.slice(0, 60) : error.name.slice(0, 60)
}
