/**
 * The runs of a property test, always the same. `npm test` does `fast` runs. FUZZ_RUNS, which the other tiers set,
 * multiplies `runs`, and FUZZ_SEED replaces the seed. A failure names its seed: that seed and as many runs repeat it.
 */
export function propertyRuns(
  seed: number,
  runs: number,
  fast = runs,
): { seed: number; numRuns: number; endOnFailure: true } {
  return {
    seed: wholeNumber('FUZZ_SEED') ?? seed,
    numRuns: isFast() ? fast : runs * (wholeNumber('FUZZ_RUNS') ?? 1),
    endOnFailure: true,
  }
}

/** Whether `npm test` runs, which sets no FUZZ_RUNS. */
export function isFast(): boolean {
  return wholeNumber('FUZZ_RUNS') === undefined
}

/** The engines of a property test: in `npm test` PostgreSQL alone. */
export function propertyEngines(): Array<'pg' | 'pglite'> {
  return isFast() ? ['pg'] : ['pg', 'pglite']
}

function wholeNumber(name: 'FUZZ_RUNS' | 'FUZZ_SEED'): number | undefined {
  const text = process.env[name]
  if (!text) return undefined
  const number = Number(text)
  if (!Number.isSafeInteger(number)) throw new Error(`${name} must be a whole number.`)
  return number
}
