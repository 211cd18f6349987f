/** How often each score was given; scores outside the metric's scale do not count. */
export type ScoreCounts = Readonly<Record<number, number>>

export interface NpsMetric {
  /** −100 to 100, two decimals; null for n = 0. */
  score: number | null
  promoters: number
  passives: number
  detractors: number
  n: number
  /** Half the 95 % confidence interval, in points; null below n = 5 and where all answers are of one band. */
  margin_of_error: number | null
}

export interface MeanMetric {
  /** Per cent of favourable scores, two decimals; null for n = 0. */
  score: number | null
  /** Two decimals; null for n = 0. */
  mean: number | null
  n: number
}

/** % of 9–10 less % of 0–6 from raw counts, rounded once. The variance per response is p + d − (p − d)². */
export function nps(counts: ScoreCounts): NpsMetric {
  const promoters = countBetween(counts, 9, 10)
  const passives = countBetween(counts, 7, 8)
  const detractors = countBetween(counts, 0, 6)
  const n = promoters + passives + detractors
  if (n === 0) return { score: null, promoters, passives, detractors, n, margin_of_error: null }
  const difference = (promoters - detractors) / n
  const alike = Math.max(promoters, passives, detractors) === n
  const variance = Math.max(0, (promoters + detractors) / n - difference ** 2)
  return {
    score: toHundredths(((promoters - detractors) * 100) / n),
    promoters,
    passives,
    detractors,
    n,
    margin_of_error: n < FEWEST_FOR_MARGIN || alike ? null : toHundredths(100 * Z_95 * Math.sqrt(variance / n)),
  }
}

/** Top two of five. */
export function csat(counts: ScoreCounts): MeanMetric {
  return topShare(counts, { top: 4, highest: 5 })
}

/** Top three of seven. */
export function ces(counts: ScoreCounts): MeanMetric {
  return topShare(counts, { top: 5, highest: 7 })
}

const Z_95 = 1.96
// The normal approximation says nothing about a handful of answers, and ±0 about answers that are all alike.
const FEWEST_FOR_MARGIN = 5

function topShare(counts: ScoreCounts, { top, highest }: { top: number; highest: number }): MeanMetric {
  const n = countBetween(counts, 1, highest)
  if (n === 0) return { score: null, mean: null, n }
  let sum = 0
  for (let value = 1; value <= highest; value++) sum += value * countBetween(counts, value, value)
  return { score: toHundredths((countBetween(counts, top, highest) * 100) / n), mean: toHundredths(sum / n), n }
}

function countBetween(counts: ScoreCounts, low: number, high: number): number {
  let count = 0
  for (let value = low; value <= high; value++) count += counts[value] ?? 0
  return count
}

// Rounds half away from zero, so that a survey and its mirror image have mirrored scores; never -0.
function toHundredths(value: number): number {
  return (Math.sign(value) * Math.round(Math.abs(value) * 100)) / 100 + 0
}
