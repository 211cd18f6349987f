export interface Batcher<T> {
  add(item: T): void
  /** Returns items of a batch that failed: they go before all others. */
  putBack(items: T[]): void
  /** Looks again: an item that was not admitted may be by now. */
  reconsider(): void
  /** Neither waiting nor under way. */
  isIdle(): boolean
}

export interface BatcherOptions<T> {
  /** Items of one batch. A full batch starts at once, except where `admit` chooses. */
  most(): number
  /** Batches under way at the same time. */
  atOnce(): number
  /** Calls `flush` later; until then, items that fill no batch wait for company. */
  gather(flush: () => void): void
  /** Whether an item may start now; one that may not keeps its place. */
  admit?(item: T): boolean
  /** Never rejects. */
  run(batch: T[]): Promise<void>
  /** Nothing waits and nothing is under way any more. */
  onIdle?(): void
}

/** Gathers items into batches: whatever comes while earlier batches are under way leaves together. */
export function createBatcher<T>({ most, atOnce, gather, admit, run, onIdle }: BatcherOptions<T>): Batcher<T> {
  let waiting: T[] = []
  let underWay = 0
  let gathering = false

  function start(atLeast: number): void {
    while (underWay < atOnce() && waiting.length >= Math.max(1, atLeast)) {
      const batch = take()
      if (batch.length === 0) return
      underWay += 1
      void run(batch).then(() => {
        underWay -= 1
        consider()
        if (isIdle()) onIdle?.()
      })
    }
  }

  function take(): T[] {
    const size = most()
    if (!admit) return waiting.splice(0, size)
    const batch: T[] = []
    const left: T[] = []
    for (const item of waiting) (batch.length < size && admit(item) ? batch : left).push(item)
    waiting = left
    return batch
  }

  function consider(): void {
    // Looking through all that wait, for each that comes, would take a time that grows with its square.
    if (!admit) start(most())
    if (gathering || waiting.length === 0 || underWay >= atOnce()) return
    gathering = true
    gather(() => {
      gathering = false
      start(1)
    })
  }

  function isIdle(): boolean {
    return underWay === 0 && waiting.length === 0
  }

  return {
    add(item) {
      waiting.push(item)
      consider()
    },
    putBack: (items) => void waiting.unshift(...items),
    reconsider: consider,
    isIdle,
  }
}

/** Gathers what comes in one turn of the event loop. */
export function inOneTurn(flush: () => void): void {
  setImmediate(flush)
}
