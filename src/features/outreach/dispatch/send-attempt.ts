import type { Channel } from '../../../platform/channel.ts'
import type { Id } from '../../../platform/ids.ts'
import { ProviderError } from '../../../platform/ports.ts'

const MAX_ATTEMPTS = 5
const DELAYS_SECONDS = [60, 300, 1800, 7200]
const LONGEST_SECONDS = 7200
const THROTTLED_SECONDS = 10

/** What one call of a provider led to. In doubt, the provider may have taken the message although we were not told. */
export type Outcome = { kind: 'accepted'; providerId: string | null } | Refusal | { kind: 'doubt'; code: string } | { kind: 'not_called'; retryAt: Date | null }

export interface Refusal {
  kind: 'refused'
  code: string
  permanent: boolean
  throttled: boolean
  /** Seconds, where the provider asked for them. */
  retryAfter: number | null
  /** It may have been taken all the same; a repeat under the same key tells. */
  inDoubt: boolean
}

/** A provider of email takes the same key once, so that a repeat settles any doubt; one of SMS and calls has to be asked. */
export function outcomeOf(channel: Channel, error: unknown): Outcome {
  const refused = error instanceof ProviderError ? error : null
  const code = refused?.code ?? codeOf(error)
  const certain = refused !== null && (refused.permanent || refused.throttled || refused.certain)
  if (!certain && channel !== 'email') return { kind: 'doubt', code }
  const { permanent = false, throttled = false, retryAfter = null } = refused ?? {}
  return { kind: 'refused', code, permanent, throttled, retryAfter, inDoubt: !certain }
}

interface Next {
  status: 'queued' | 'failed'
  reason: string
  attempts: number
  nextAttemptAt: Date | null
}

/** Tried again after growing pauses, or what the provider asked for, and given up after the fifth time. Being throttled does not count. */
export function afterRefusal(
  attempts: number,
  { code, permanent, throttled, retryAfter }: Pick<Refusal, 'code' | 'permanent' | 'throttled' | 'retryAfter'>,
  now: Date,
): Next {
  if (throttled) return { status: 'queued', reason: code, attempts, nextAttemptAt: throttledUntil(retryAfter, now) }
  const counted = attempts + 1
  if (permanent || counted >= MAX_ATTEMPTS) return { status: 'failed', reason: code, attempts: counted, nextAttemptAt: null }
  const seconds = Math.min(LONGEST_SECONDS, Math.max(DELAYS_SECONDS[attempts] ?? LONGEST_SECONDS, retryAfter ?? 0))
  return { status: 'queued', reason: code, attempts: counted, nextAttemptAt: new Date(now.getTime() + seconds * 1000) }
}

/** Our own fault: it could not be written, or nobody told what became of it. */
export function afterFault(attempts: number, code: 'internal_error' | 'interrupted', now: Date): Next {
  return afterRefusal(attempts, { code, permanent: false, throttled: false, retryAfter: null }, now)
}

/** How long a provider that takes no more is left alone. */
export function throttledUntil(retryAfter: number | null, now: Date): Date {
  return new Date(now.getTime() + Math.min(LONGEST_SECONDS, Math.max(retryAfter ?? THROTTLED_SECONDS, 1)) * 1000)
}

// Never the message, in which providers quote the recipient.
function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
  return /^[A-Z0-9_]{1,60}$/.test(code) ? code : 'unreachable'
}

/** Twilio: the person told the carrier to stop. */
export function isOptOut(code: string): boolean {
  return code === 'twilio_21610'
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
