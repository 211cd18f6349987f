// The rule is 50 ms; the garbage collector and a slow machine take their part of it.
const SLICE_MS = 8

const waiting: Array<() => void> = []

/**
 * Resolves in a later round of the event loop. One waiter goes on in each round, however many there are, so that a
 * hundred long requests together hold it no longer than one.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve)
    if (waiting.length === 1) setImmediate(release)
  })
}

function release(): void {
  waiting.shift()?.()
  if (waiting.length > 0) setImmediate(release)
}

/** The work of one request cut into slices: ask `isOver` now and then, and await `next` where it says so. */
export interface Slices {
  isOver(): boolean
  next(): Promise<void>
}

export function startSlices(): Slices {
  let startedAt = performance.now()
  return {
    isOver: () => performance.now() - startedAt > SLICE_MS,
    async next() {
      await nextTurn()
      startedAt = performance.now()
    },
  }
}

/** Runs steps to their end, and lets others have their turn between them. */
export async function runInSlices<Result>(steps: Iterator<unknown, Result, undefined>): Promise<Result> {
  const slices = startSlices()
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
    if (slices.isOver()) await slices.next()
  }
}
