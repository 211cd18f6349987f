// Up to this many milliseconds a class is one millisecond. Above, each is a tenth wider than the one before.
const EXACT_MS = 16
const GROWTH = 1.1

/** The class of a latency. Null, for no answer, is -1. */
export function latencyClassOf(ms: number | null): number {
  if (ms === null) return -1
  if (ms <= EXACT_MS) return Math.max(0, Math.round(ms))
  return EXACT_MS + Math.ceil(Math.log(ms / EXACT_MS) / Math.log(GROWTH))
}

/** The middle of a class in milliseconds, at most 5 % off. */
export function latencyOf(latencyClass: number): number {
  if (latencyClass <= EXACT_MS) return latencyClass
  return Math.round(EXACT_MS * GROWTH ** (latencyClass - EXACT_MS - 0.5))
}

/**
 * The latency that a share of the answers did not exceed.
 * @param counts class and number of attempts. Those without an answer do not count.
 */
export function percentile(counts: Iterable<readonly [latencyClass: number, attempts: number]>, share: number) {
  const answered = [...counts].filter(([each]) => each >= 0).toSorted(([a], [b]) => a - b)
  const rank = Math.ceil(share * answered.reduce((sum, [, attempts]) => sum + attempts, 0))
  let met = 0
  for (const [latencyClass, attempts] of answered) {
    met += attempts
    if (met >= rank) return latencyOf(latencyClass)
  }
  return null
}
