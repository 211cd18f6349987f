/** Lets one through at a time, evenly, at most so many a second; at once where there is no limit. */
export interface Pacer {
  /** Resolves when it is this caller's turn, or when told to stop. */
  turn(signal: AbortSignal): Promise<void>
}

export function createPacer(perSecond: number | null): Pacer {
  if (perSecond === null) return { turn: async () => {} }
  const gapMs = 1000 / perSecond
  let nextAt = performance.now()
  return {
    async turn(signal) {
      const now = performance.now()
      const at = Math.max(now, nextAt)
      nextAt = at + gapMs
      if (at > now) await pause(at - now, signal)
    },
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const done = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', done)
  })
}
