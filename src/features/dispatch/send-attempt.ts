import type { Channel } from '../../platform/channel.ts'
import type { Id } from '../../platform/ids.ts'
import { ProviderError } from '../../platform/ports.ts'

const MAX_ATTEMPTS = 5
const DELAYS_SECONDS = [60, 300, 1800, 7200]
const LONGEST_SECONDS = 7200
const THROTTLED_SECONDS = 10

/** What one call of a provider led to. In doubt, the provider may have taken the message although we were not told. */
export type Outcome = { kind: 'accepted'; providerId: string | null } | Refusal | { kind: 'doubt'; code: string } | { kind: 'not_called' }

interface Refusal {
  kind: 'refused'
  code: string
  permanent: boolean
  throttled: boolean
  /** Seconds, where the provider asked for them. */
  retryAfter: number | null
}

/** A provider of email takes the same key once, so that a repeat settles any doubt; one of SMS and calls has to be asked. */
export function outcomeOf(channel: Channel, error: unknown): Outcome {
  const refused = error instanceof ProviderError ? error : null
  const code = refused?.code ?? codeOf(error)
  const certain = channel === 'email' || refused?.permanent || refused?.throttled
  if (!certain) return { kind: 'doubt', code }
  return { kind: 'refused', code, permanent: refused?.permanent ?? false, throttled: refused?.throttled ?? false, retryAfter: refused?.retryAfter ?? null }
}

interface Next {
  status: 'queued' | 'failed'
  reason: string
  attempts: number
  nextAttemptAt: Date | null
}

/** Tried again after growing pauses, or what the provider asked for, and given up after the fifth time. Being throttled does not count. */
export function afterRefusal(attempts: number, { code, permanent, throttled, retryAfter }: Omit<Refusal, 'kind'>, now: Date): Next {
  if (throttled) {
    const seconds = Math.min(LONGEST_SECONDS, Math.max(retryAfter ?? THROTTLED_SECONDS, 1))
    return { status: 'queued', reason: code, attempts, nextAttemptAt: new Date(now.getTime() + seconds * 1000) }
  }
  const counted = attempts + 1
  if (permanent || counted >= MAX_ATTEMPTS) return { status: 'failed', reason: code, attempts: counted, nextAttemptAt: null }
  const seconds = Math.min(LONGEST_SECONDS, Math.max(DELAYS_SECONDS[attempts] ?? LONGEST_SECONDS, retryAfter ?? 0))
  return { status: 'queued', reason: code, attempts: counted, nextAttemptAt: new Date(now.getTime() + seconds * 1000) }
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
  outcome: Outcome
}
