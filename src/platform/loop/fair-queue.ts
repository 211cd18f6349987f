/** Waiting items of several askers, who take turns, so that none waits for all items of another. */
export interface FairQueue<Item> {
  /** False if too many wait: of all, or of this asker, who may have half of the places. */
  push(of: string, item: Item): boolean
  next(): Item | null
}

/** @param most items that may wait. */
export function createFairQueue<Item>(most: number): FairQueue<Item> {
  /** By asker, the next one first. */
  const waiting = new Map<string, Item[]>()
  let count = 0
  return {
    push(of, item) {
      const own = waiting.get(of) ?? []
      if (count >= most || own.length >= most / 2) return false
      own.push(item)
      waiting.set(of, own)
      count += 1
      return true
    },
    next() {
      for (const [of, own] of waiting) {
        const item = own.shift() ?? null
        waiting.delete(of)
        if (own.length > 0) waiting.set(of, own)
        count -= 1
        return item
      }
      return null
    },
  }
}
