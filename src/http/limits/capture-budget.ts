import { KIB, readBody } from '../bodies/body.ts'
import { spend, type RateLimiters } from './rate-limit.ts'
import { isLoopback, addressKey } from '../../platform/networks.ts'
import type { SystemScope } from '../../platform/scope.ts'
import { hashToken } from '../../platform/config/secrets.ts'

/**
 * Counts a body of public capture for the caller's network, before it is parsed. Loopback is free: it is the
 * operator's own machine.
 * @throws Problem 413 for a longer body, 429 when the minute's budget is used up.
 */
export async function spendBody(
  system: SystemScope,
  limiters: RateLimiters,
  request: Request,
  limit: number,
): Promise<void> {
  if (isFree(system)) return
  const declared = request.headers.get('content-length')
  // The handler gets the same bytes.
  const bytes = declared === null ? (await readBody(request, limit)).byteLength : Number(declared)
  await spend(limiters.captureKib, addressKey(system), Math.max(1, Math.ceil(Math.min(bytes, limit) / KIB)))
}

/** Counts a response that the caller's network may begin. @throws Problem 429. */
export async function spendBeginning(system: SystemScope, limiters: RateLimiters, surveyId: string): Promise<void> {
  if (isFree(system)) return
  await spend(limiters.captureBegins, hashToken(`${surveyId} ${addressKey(system)}`))
}

function isFree({ settings, origin }: SystemScope): boolean {
  return settings.capturePerMinute === null || origin === null || isLoopback(origin.ip)
}
