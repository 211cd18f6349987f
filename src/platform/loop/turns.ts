import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { createFairQueue } from './fair-queue.ts'

// The rule is 50 ms, and the garbage collector and a slow machine use part of it.
const SLICE_MS = 8
// Past the slice of a round, work that others began in it has so long. Short work never waits.
const SHORT_MS = 1

const asker = new AsyncLocalStorage<{ of: string | (() => string) }>()
const waiting = createFairQueue<() => void>(Infinity)
let count = 0

/** Waits of this work are those of an asker. Waits outside of it are those of the process itself, as of one asker. */
export async function takeTurnsAs<Result>(of: () => string, work: () => Promise<Result>): Promise<Result> {
  // Sockets and timers keep the context in which they began, for as long as they live. By the end it leads to nothing.
  const store = { of: of as string | (() => string) }
  try {
    return await asker.run(store, work)
  } finally {
    store.of = of()
  }
}

function presentAsker(): string {
  const of = asker.getStore()?.of ?? ''
  return typeof of === 'string' ? of : of()
}

/**
 * Resolves in a later round of the event loop. Each round releases one waiter, so that a hundred long requests together
 * hold the loop no longer than one. Askers take turns, so that none waits for all requests of another.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(presentAsker(), resolve)
    count += 1
    if (count === 1) setImmediate(release)
  })
}

function release(): void {
  count -= 1
  waiting.next()?.()
  if (count > 0) setImmediate(release)
}

/** Work cut into slices: check `isOver` now and then, and await `next` when it is true. */
export interface Slices {
  isOver(): boolean
  /** Whether others have used up this round of the event loop. Then work that cannot be cut waits for the next. */
  isLate(): boolean
  next(): Promise<void>
}

/** Ten requests that begin in one round of the event loop share one slice. The others go on in later rounds. */
export function startSlices(): Slices {
  let startedAt = performance.now()
  joinRound(startedAt)
  const isLate = (now = performance.now()) => now - joinRound(now).startedAt > SLICE_MS
  return {
    isOver() {
      const now = performance.now()
      const workedMs = now - startedAt
      return workedMs > SLICE_MS || (workedMs > SHORT_MS && isLate(now))
    },
    isLate: () => isLate(),
    async next() {
      await nextTurn()
      startedAt = performance.now()
      startRound(startedAt)
    },
  }
}

/** The present round of the event loop, from the start of its first slice. */
let round: { startedAt: number } | null = null

function joinRound(now: number): { startedAt: number } {
  return round ?? startRound(now)
}

function startRound(now: number): { startedAt: number } {
  const started = { startedAt: now }
  round = started
  setImmediate(() => {
    if (round === started) round = null
  })
  return started
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

/** Maps a long list, and yields to other requests between its items. */
export async function mapInSlices<Item, Result>(items: Iterable<Item>, map: (item: Item) => Result): Promise<Result[]> {
  const results: Result[] = []
  await runInSlices(
    (function* mapEach() {
      for (const item of items) {
        results.push(map(item))
        yield
      }
    })(),
  )
  return results
}

/** Groups a long list likewise. */
export async function groupInSlices<Item, Key>(items: Item[], keyOf: (item: Item) => Key): Promise<Map<Key, Item[]>> {
  const groups = new Map<Key, Item[]>()
  await mapInSlices(items, (item) => {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group) group.push(item)
    else groups.set(key, [item])
  })
  return groups
}

// Long work looks this often, and this long, at what else there is to do.
const WORK_MS = 200
const LOOK_MS = 10
const BUSY = 0.6
// In a busy process it rests four times as long as it worked, so it takes a fifth of the time.
const REST = 4
const LONGEST_REST_MS = 1_000

/** Says how much of the time since the call the event loop was busy, 0 to 1. */
export type Watch = () => () => number

/**
 * Lets requests and deliveries go before long work in the background: await the result between its steps. Alone in a
 * process, the work goes on at once. `settle` awaits what the work itself has under way, which would look like the
 * work of others.
 */
export function startCourtesy(
  watch: Watch = watchLoop,
  rest: (ms: number) => Promise<unknown> = pause,
): (settle?: () => Promise<unknown>) => Promise<void> {
  let startedAt = performance.now()
  let isBusy = false
  return async (settle) => {
    if (performance.now() - startedAt < WORK_MS) return
    await settle?.()
    const workedMs = performance.now() - startedAt
    const busy = watch()
    await rest(isBusy ? Math.min(workedMs * REST, LONGEST_REST_MS) : LOOK_MS)
    isBusy = busy() > BUSY
    startedAt = performance.now()
  }
}

function watchLoop(): () => number {
  const before = performance.eventLoopUtilization()
  return () => performance.eventLoopUtilization(before).utilization
}
