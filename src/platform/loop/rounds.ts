import { createFairQueue } from './fair-queue.ts'

// As long as a slice. The last work that begins may take as long again.
const ROUND_MS = 8

/** Begins short work that cannot be cut, so that a thousand pieces which come together do not hold the event loop. */
export interface Rounds {
  /**
   * Begins the work at once while this round of the event loop has time and nothing waits. Otherwise it begins in a
   * later round, where askers take turns.
   */
  begin(of: () => string, work: () => void): void
}

export function createRounds(now: () => number = () => performance.now()): Rounds {
  const waiting = createFairQueue<() => void>(Infinity)
  let count = 0
  /** Null until something begins in this round. */
  let startedAt: number | null = null

  function hasTime(): boolean {
    const at = now()
    if (startedAt === null) {
      startedAt = at
      setImmediate(startRound)
    }
    return at - startedAt < ROUND_MS
  }

  function startRound(): void {
    startedAt = null
    release()
  }

  function release(): void {
    if (count === 0 || !hasTime()) return
    count -= 1
    // The next one begins after all promises that this one resolves, because they take part of the time.
    queueMicrotask(() => process.nextTick(release))
    waiting.next()?.()
  }

  return {
    begin(of, work) {
      if (count === 0 && hasTime()) return work()
      waiting.push(of(), work)
      count += 1
    },
  }
}
