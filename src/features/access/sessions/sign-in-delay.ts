/** Wrong passwords for one account from addresses that never signed in to it. */
export interface Strangers {
  failures: number
  blockedUntil: Date | null
  lastFailedAt: Date
}

const FREE_FAILURES = 10
const LONGEST_SECONDS = 15 * 60
/** Wrong passwords are forgotten after this time without another one. */
export const MEMORY_MS = 24 * 3_600_000

/** Whole seconds until a new address may try. 0 if it may now. */
export function secondsToWait({ blockedUntil }: Strangers, now: Date): number {
  return Math.max(0, Math.ceil(((blockedUntil?.getTime() ?? 0) - now.getTime()) / 1000))
}

/**
 * Counts one more wrong password. The first ten cost nothing. Then new addresses wait 1 s, 2 s, 4 s … up to 15 minutes.
 */
export function afterFailure(before: Strangers, now: Date): Strangers {
  const remembered = now.getTime() - before.lastFailedAt.getTime() < MEMORY_MS ? before.failures : 0
  const failures = remembered + 1
  const seconds = failures > FREE_FAILURES ? Math.min(LONGEST_SECONDS, 2 ** (failures - FREE_FAILURES - 1)) : 0
  return { failures, blockedUntil: seconds > 0 ? new Date(now.getTime() + seconds * 1000) : null, lastFailedAt: now }
}
