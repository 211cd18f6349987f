import type { Channel } from '../../../platform/channel.ts'
import type { Id } from '../../../platform/ids.ts'
import { ProviderError, type Verdict } from '../../../platform/provider.ts'
import { nextAttemptAt, secondsAfter, type RetryPlan } from '../../../platform/retry.ts'

const PLAN: RetryPlan = { waitsSeconds: [60, 300, 1800, 7200], longestSeconds: 7200 }
const THROTTLED_SECONDS = 10

/** What one call of a provider led to. In doubt, the provider may have taken the message although we were not told. */
export type Outcome = { kind: 'accepted'; providerId: string | null } | Refusal | { kind: 'doubt'; code: string } | { kind: 'not_called'; retryAt: Date | null }

export interface Refusal {
  kind: 'refused'
  code: string
  /** After `unknown` the provider may have the message all the same; a repeat under the same key tells. */
  verdict: Verdict
  /** Seconds, where the provider asked for them. */
  retryAfter: number | null
}

/** A provider of email takes the same key once, so that a repeat settles any doubt; one of SMS and calls has to be asked. */
export function outcomeOf(channel: Channel, error: unknown): Outcome {
  const { code, verdict, retryAfter } = error instanceof ProviderError ? error : { code: codeOf(error), verdict: 'unknown' as const, retryAfter: null }
  return verdict === 'unknown' && channel !== 'email' ? { kind: 'doubt', code } : { kind: 'refused', code, verdict, retryAfter }
}

interface Next {
  status: 'queued' | 'failed'
  reason: string
  attempts: number
  nextAttemptAt: Date | null
}

/** Tried again after growing pauses, or what the provider asked for, and given up after the fifth time. Being throttled does not count. */
export function afterRefusal(attempts: number, { code, verdict, retryAfter }: Pick<Refusal, 'code' | 'verdict' | 'retryAfter'>, now: Date): Next {
  if (verdict === 'throttled') return { status: 'queued', reason: code, attempts, nextAttemptAt: throttledUntil(retryAfter, now) }
  const counted = attempts + 1
  const at = isFinal(verdict) ? null : nextAttemptAt(PLAN, counted, now, { retryAfter })
  return { status: at ? 'queued' : 'failed', reason: code, attempts: counted, nextAttemptAt: at }
}

/** Our own fault: it could not be written, or nobody told what became of it. */
export function afterFault(attempts: number, code: 'internal_error' | 'interrupted', now: Date): Next {
  return afterRefusal(attempts, { code, verdict: 'not_taken', retryAfter: null }, now)
}

/** How long a provider that takes no more is left alone. */
export function throttledUntil(retryAfter: number | null, now: Date): Date {
  return secondsAfter(now, Math.min(PLAN.longestSeconds, Math.max(retryAfter ?? THROTTLED_SECONDS, 1)))
}

// Never the message, in which providers quote the recipient.
function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
  return /^[A-Z0-9_]{1,60}$/.test(code) ? code : 'unreachable'
}

/** The provider would refuse this message again. */
export function isFinal(verdict: Verdict): boolean {
  return verdict === 'refused' || verdict === 'opted_out'
}

export interface Attempted {
  id: Id<'send'>
  attempts: number
  addressHash: string
  masked: string
  /** A provider may have had it before this attempt. */
  wasInDoubt: boolean
  outcome: Outcome
}
