import { nextAttemptAt, type RetryPlan } from '../../../platform/loop/retry.ts'

const PLAN: RetryPlan = { waitsSeconds: [30, 120, 600, 3600], longestSeconds: 3600 }

type Next = {
  status: 'sent' | 'failed' | 'pending'
  attempts: number
  nextAttemptAt: Date | null
  lastError: string | null
}

/** The state of a mail after one more attempt: sent, due again later, or given up after the fifth failure. */
export function afterAttempt(attempts: number, error: string | null, now: Date): Next {
  const counted = attempts + 1
  if (error === null) return { status: 'sent', attempts: counted, nextAttemptAt: null, lastError: null }
  const at = nextAttemptAt(PLAN, counted, now)
  return { status: at ? 'pending' : 'failed', attempts: counted, nextAttemptAt: at, lastError: error }
}

/** A code such as `EENVELOPE`. Never the message, in which providers quote the recipient. */
export function errorCode(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  return 'code' in error && typeof error.code === 'string' ? error.code.slice(0, 60) : error.name.slice(0, 60)
}
