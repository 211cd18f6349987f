// The rule is 50 ms, and the garbage collector and a slow machine use part of it.
const SLICE_MS = 8

const waiting: Array<() => void> = []

/**
 * Resolves in a later round of the event loop. Each round releases one waiter, so that a hundred long requests together
 * hold the loop no longer than one.
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

/** Work cut into slices: check `isOver` now and then, and await `next` when it is true. */
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

/** Runs steps to the end, and yields to other requests between them. */
export async function runInSlices<Result>(steps: Iterator<unknown, Result, undefined>): Promise<Result> {
  const slices = startSlices()
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
    if (slices.isOver()) await slices.next()
  }
}
