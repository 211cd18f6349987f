/** The findings of a run: figures to report, and the guarantees that did not hold. */
export interface Verdict {
  facts: Record<string, string | number>
  broken: string[]
}

export interface Judge {
  fact(name: string, value: string | number): void
  /** Notes a guarantee; one that does not hold breaks the run. */
  must(guarantee: string, holds: boolean, found?: string | number): void
  verdict(): Verdict
}

export function createJudge(): Judge {
  const facts: Verdict['facts'] = {}
  const broken: string[] = []
  return {
    fact(name, value) {
      facts[name] = value
    },
    must(guarantee, holds, found) {
      if (!holds) broken.push(found === undefined ? guarantee : `${guarantee}: ${found}`)
    },
    verdict: () => ({ facts, broken }),
  }
}

/** The arguments of every run. */
export interface Given {
  /** An empty database, or a migrated one. */
  databaseUrl: string
  /** 0 to 1, from the seed. */
  random: () => number
  /** Progress, one line at a time. */
  say(line: string): void
}

/** The same seed gives the same numbers (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** The value below which a share of the sorted values lies; 0 of none. */
export function quantile(values: number[], share: number): number {
  const sorted = [...values].sort((left, right) => left - right)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}
