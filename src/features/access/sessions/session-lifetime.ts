const HOUR_MS = 3_600_000

const IDLE_MS = 12 * HOUR_MS
export const ABSOLUTE_MS = 30 * 24 * HOUR_MS
// A write at every request would cost more than the request.
const TOUCH_MS = 60_000
const SEEN_MS = 5 * 60_000

/** The end of a session that is used now: 12 hours from now, but never after its absolute end. */
export function validUntil(now: Date, expiresAt: Date): Date {
  return new Date(Math.min(now.getTime() + IDLE_MS, expiresAt.getTime()))
}

/** Whether `last_seen_at` of a member is five minutes old. */
export function needsSeenUpdate(lastSeenAt: Date | null, now: Date): boolean {
  return lastSeenAt === null || now.getTime() - lastSeenAt.getTime() >= SEEN_MS
}

export function needsTouch(lastUsedAt: Date | null, now: Date): boolean {
  return lastUsedAt === null || now.getTime() - lastUsedAt.getTime() >= TOUCH_MS
}
