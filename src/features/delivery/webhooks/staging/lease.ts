import { randomUUID } from 'node:crypto'
import type { Scope } from '../../../../platform/scope.ts'

/** For one attempt, resolving and reading included (docs/specification.md, "Limits"). */
export const ATTEMPT_TIMEOUT_MS = 15_000

/** The right to attempt a row until a moment. Its result is recorded only while the row bears this token. */
export interface Lease {
  token: string
  now: Date
  until: Date
}

export function newLease({ clock, settings }: Scope): Lease {
  const now = clock.now()
  return { token: randomUUID(), now, until: new Date(now.getTime() + settings.webhooks.leaseSeconds * 1000) }
}

/** Whether an attempt that begins now ends within the lease: otherwise another process may attempt the row as well. */
export function outlastsAttempt({ until }: { until: Date }, now: Date): boolean {
  return until.getTime() - now.getTime() > ATTEMPT_TIMEOUT_MS
}
