export interface Batcher<T> {
  add(item: T): void
  /** Puts items of a failed batch back, before all others. */
  putBack(items: T[]): void
  /** Looks again for items that were not admitted. */
  reconsider(): void
  /** True if nothing waits and nothing runs. */
  isIdle(): boolean
}

export interface BatcherOptions<T> {
  /** The most items in a batch. A full batch starts at once, unless `admit` chooses. */
  most(): number
  /** The most batches that run at once. */
  atOnce(): number
  /** Calls `flush` later. Items that do not fill a batch wait until then. */
  gather(flush: () => void): void
  /** Whether an item may start now. Otherwise it keeps its place. */
  admit?(item: T): boolean
  /** Never rejects. */
  run(batch: T[]): Promise<void>
  /** Called when nothing waits and nothing runs. */
  onIdle?(): void
}

/** Gathers items into batches. Items that arrive while batches run leave together. */
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
    // Checking all waiting items for each new one would take quadratic time.
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

/** Gathers the items of one turn of the event loop. */
export function inOneTurn(flush: () => void): void {
  setImmediate(flush)
}
