/** Random choices that a seed repeats. */
export class Dice {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** From 0 up to 1, by mulberry32. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit)
  }

  chance(share: number): boolean {
    return this.next() < share
  }

  one<T>(values: readonly T[]): T {
    return values[this.below(values.length)] as T
  }

  /** Null for one in `share`, else one of the values. */
  maybe<T>(values: readonly T[], share = 0.25): T | null {
    return this.chance(share) ? null : this.one(values)
  }

  /** Up to `most` of the values, each at most once. */
  some<T>(values: readonly T[], most: number): T[] {
    const left = [...values]
    return Array.from({ length: this.below(most + 1) }, () => left.splice(this.below(left.length), 1)[0] as T)
  }
}
