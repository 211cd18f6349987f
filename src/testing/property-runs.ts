/**
 * The runs of a property test, always the same. FUZZ_RUNS multiplies them and FUZZ_SEED replaces the seed. A failure names
 * its seed: that seed and as many runs repeat it.
 */
export function propertyRuns(seed: number, runs: number): { seed: number; numRuns: number; endOnFailure: true } {
  return {
    seed: wholeNumber('FUZZ_SEED') ?? seed,
    numRuns: runs * (wholeNumber('FUZZ_RUNS') ?? 1),
    endOnFailure: true,
  }
}

function wholeNumber(name: 'FUZZ_RUNS' | 'FUZZ_SEED'): number | undefined {
  const text = process.env[name]
  if (!text) return undefined
  const number = Number(text)
  if (!Number.isSafeInteger(number)) throw new Error(`${name} must be a whole number.`)
  return number
}
