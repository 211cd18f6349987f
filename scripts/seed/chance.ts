/** Numbers that look random and are the same in every run (mulberry32). */
export interface Chance {
  /** 0 to 1. */
  next(): number
  /** A whole number from `from` up to `until`, without `until`. */
  whole(from: number, until: number): number
  is(probability: number): boolean
  pick<T>(choices: readonly T[]): T
}

export function createChance(seed: number): Chance {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  return {
    next,
    whole: (from, until) => from + Math.floor(next() * (until - from)),
    is: (probability) => next() < probability,
    pick<T>(choices: readonly T[]): T {
      const choice = choices[Math.floor(next() * choices.length)]
      if (choice === undefined) throw new Error('there is nothing to pick from')
      return choice
    },
  }
}
