import { Register } from './registers.ts'

/** Waiting items of several askers, who take turns, so that none waits for all items of another. */
export interface FairQueue<Item> {
  /** False if too many wait: of all, or of this asker, who may have half of the places. */
  push(of: string, item: Item): boolean
  next(): Item | null
}

/** @param most items that may wait. */
export function createFairQueue<Item>(most: number): FairQueue<Item> {
  const waiting = new Register<Line<Item>>()
  /** Everybody of whom an item waits, the next one first. */
  const askers = new Line<string>()
  let count = 0
  return {
    push(of, item) {
      const own = waiting.get(of) ?? new Line<Item>()
      if (count >= most || own.length >= most / 2) return false
      if (own.length === 0) {
        waiting.set(of, own)
        askers.push(of)
      }
      own.push(item)
      count += 1
      return true
    },
    next() {
      const of = askers.shift()
      const own = of === undefined ? undefined : waiting.get(of)
      if (of === undefined || !own) return null
      const item = own.shift() as Item
      if (own.length > 0) askers.push(of)
      else waiting.delete(of)
      count -= 1
      return item
    },
  }
}

const COMPACTED_FROM = 1_024

/** First in, first out. `shift` of a long array moves all that follows, which takes 50 ms once and again. */
class Line<Item> {
  #items: Item[] = []
  #gone = 0

  get length(): number {
    return this.#items.length - this.#gone
  }

  push(item: Item): void {
    this.#items.push(item)
  }

  shift(): Item | undefined {
    if (this.length === 0) return undefined
    const item = this.#items[this.#gone]
    // Lets go of what it holds.
    ;(this.#items as unknown[])[this.#gone] = undefined
    this.#gone += 1
    if (this.#gone >= COMPACTED_FROM && this.#gone * 2 >= this.#items.length) {
      this.#items = this.#items.slice(this.#gone)
      this.#gone = 0
    }
    return item
  }
}
