import { type Channel, ProviderError, type Verdict } from '../../../../platform/ports/provider.ts'
import { nextAttemptAt, secondsAfter, type RetryPlan } from '../../../../platform/loop/retry.ts'
import type { SettledStatus } from '../send-state.ts'

const PLAN: RetryPlan = { waitsSeconds: [60, 300, 1800, 7200], longestSeconds: 7200 }
const THROTTLED_SECONDS = 10

/**
 * The outcome of one claim of a send:
 *
 * - `accepted`: the provider took the message;
 * - `refused`: the provider did not take it, or took it without our knowing, which a repeat under the same key shows;
 * - `doubt`: only the provider knows, and it has to be asked before the message is sent again;
 * - `not_called`: nobody called the provider this time;
 * - `ended`, `waiting`: the message is not to go out, or not yet;
 * - `fault`: our own fault, such as a message that could not be written;
 * - `not_found`: the provider was asked, and has no such message;
 * - `interrupted`: nobody knows what came of the claim, and a repeat under the same key shows.
 */
export type Outcome =
  | { kind: 'accepted'; providerId: string | null }
  | { kind: 'refused'; code: string; verdict: Verdict; retryAfter: number | null }
  | { kind: 'doubt'; code: string }
  | { kind: 'not_called'; retryAt: Date | null }
  | { kind: 'ended'; as: 'skipped' | 'cancelled' | 'failed'; reason: string | null }
  | { kind: 'waiting'; until: Date }
  | { kind: 'fault' }
  | { kind: 'not_found' }
  | { kind: 'interrupted' }

/** The facts about a claimed send that its settlement depends on. */
export interface Settleable {
  /** Attempts before this one. */
  attempts: number
  /** A provider may have had the message before this claim. */
  wasInDoubt: boolean
}

/** A claimed send that no provider is known to have. */
export interface Settlement {
  status: SettledStatus
  reason: string | null
  attempts: number
  nextAttemptAt: Date | null
  /** A provider may have the message all the same. */
  inDoubt: boolean
}

/** The state of a claimed send after its outcome; null where the send stays as it is, or was accepted. */
export function settle({ attempts, wasInDoubt }: Settleable, outcome: Outcome, now: Date): Settlement | null {
  switch (outcome.kind) {
    case 'accepted':
    case 'doubt':
      return null
    case 'refused': {
      const { code, verdict, retryAfter } = outcome
      const inDoubt = verdict === 'unknown' || (wasInDoubt && !isFinal(verdict))
      if (verdict === 'throttled')
        return { status: 'queued', reason: code, attempts, nextAttemptAt: throttledUntil(retryAfter, now), inDoubt }
      return isFinal(verdict)
        ? { status: 'failed', reason: code, attempts: attempts + 1, nextAttemptAt: null, inDoubt }
        : { ...tryAgain(attempts, code, now, retryAfter), inDoubt }
    }
    case 'not_called':
      return { status: 'queued', reason: null, attempts, nextAttemptAt: outcome.retryAt ?? now, inDoubt: wasInDoubt }
    case 'ended':
      return { status: outcome.as, reason: outcome.reason, attempts, nextAttemptAt: null, inDoubt: false }
    case 'waiting':
      return { status: 'queued', reason: null, attempts, nextAttemptAt: outcome.until, inDoubt: false }
    case 'fault':
      return { ...tryAgain(attempts, 'internal_error', now), inDoubt: wasInDoubt }
    case 'not_found':
      return { ...tryAgain(attempts, 'interrupted', now), inDoubt: false }
    case 'interrupted': {
      const next = tryAgain(attempts, 'interrupted', now)
      return { ...next, inDoubt: true, ...(next.status === 'queued' && { nextAttemptAt: now, reason: null }) }
    }
  }
}

/**
 * The outcome of a call that failed. An email provider takes a key once, so a repeat settles any doubt; a phone
 * provider has to be asked.
 */
export function outcomeOf(channel: Channel, error: unknown): Outcome {
  const { code, verdict, retryAfter } =
    error instanceof ProviderError ? error : new ProviderError(codeOf(error), 'unknown')
  return verdict === 'unknown' && channel !== 'email'
    ? { kind: 'doubt', code }
    : { kind: 'refused', code, verdict, retryAfter }
}

/** How long a provider that takes no more is left alone. */
export function throttledUntil(retryAfter: number | null, now: Date): Date {
  return secondsAfter(now, Math.min(PLAN.longestSeconds, Math.max(retryAfter ?? THROTTLED_SECONDS, 1)))
}

/** After growing pauses, or the one that the provider asked for; given up after the fifth failure. */
function tryAgain(attempts: number, reason: string, now: Date, retryAfter: number | null = null) {
  const at = nextAttemptAt(PLAN, attempts + 1, now, { retryAfter })
  return { status: at ? ('queued' as const) : ('failed' as const), reason, attempts: attempts + 1, nextAttemptAt: at }
}

function isFinal(verdict: Verdict): boolean {
  return verdict === 'refused' || verdict === 'opted_out'
}

// Never the message, in which providers quote the recipient.
function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
  return /^[A-Z0-9_]{1,60}$/.test(code) ? code : 'unreachable'
}
