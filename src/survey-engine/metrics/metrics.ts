import { BANDS, type Band, type Metric } from '../model/definition.ts'
import { scoresIn } from '../types/families/scored.ts'
import { scaleOf as scaleOfQuestion } from '../types/registry.ts'
import { bandOf } from './score.ts'

type Scale = Parameters<typeof scoresIn>[0]

/** How often each score was given. Scores outside the metric's scale do not count. */
export type ScoreCounts = ReadonlyMap<number, number>

export interface Interval {
  low: number
  high: number
  level: 95
  method: 'normal' | 'wilson' | 't'
}

/** The one definition of a metric: reports, dashboards, leaderboards, alerts and badges call it. */
export interface Figure {
  n: number
  /** NPS from −100 to 100, or the share of the top boxes in per cent; two decimals. Null for n = 0. */
  score: number | null
  /** Of the answers of CSAT and CES, two decimals. Null for NPS, and for n = 0. */
  mean: number | null
  /** The 95 % confidence interval of the score. Null below n = 5, and where all answers are of one side. */
  interval: Interval | null
}

const Z_95 = 1.96
// An interval says nothing about a handful of answers.
export const FEWEST_FOR_INTERVAL = 5

export function figureOf(metric: Metric, counts: ScoreCounts): Figure {
  const bands = bandsOf(metric, counts)
  const [up = 0, , down = 0] = BANDS[metric].map((band) => bands[band])
  let n = 0
  let sum = 0
  for (const [score, times] of onScale(metric, counts)) {
    n += times
    sum += score * times
  }
  if (n === 0) return { n, score: null, mean: null, interval: null }
  const mean = metric === 'nps' ? null : toHundredths(sum / n)
  const figure = metric === 'nps' ? balance(up / n, down / n, n) : share(up / n, n, metric === 'csat' ? 'wilson' : 't')
  const isAlike = metric === 'nps' ? Math.max(up, down, n - up - down) === n : up === 0 || up === n
  const interval = n < FEWEST_FOR_INTERVAL || isAlike ? null : figure.interval
  return { n, score: toHundredths(figure.score), mean, interval }
}

/** Answers of each band of the metric, the best first. */
export function bandsOf(metric: Metric, counts: ScoreCounts): Partial<Record<Band, number>> {
  const bands: Partial<Record<Band, number>> = Object.fromEntries(BANDS[metric].map((band) => [band, 0]))
  for (const [score, times] of onScale(metric, counts)) {
    const band = bandOf(metric, score)
    bands[band] = (bands[band] ?? 0) + times
  }
  return bands
}

/** NPS with the counts of its bands. `margin_of_error`: half its interval, in points, before that is cut at ±100. */
export function npsOf(counts: ScoreCounts) {
  const { n, score, interval } = figureOf('nps', counts)
  const { promoter: promoters = 0, passive: passives = 0, detractor: detractors = 0 } = bandsOf('nps', counts)
  const margin_of_error = interval && toHundredths(npsMargin(promoters / n, detractors / n, n))
  return { score, promoters, passives, detractors, n, margin_of_error, interval }
}

/** Every score of a metric's scale, lowest first. A trend keeps its counts in this order. */
export function scoresOf(metric: Metric): number[] {
  return scoresIn(scaleOf(metric))
}

function scaleOf(metric: Metric): Scale {
  return scaleOfQuestion({ id: '', type: metric, title: '' }) ?? { min: 0, max: -1 }
}

/** Counts by score from rows. */
export function countsOf(rows: Iterable<{ score: number; n: number }>): ScoreCounts {
  const counts = new Map<number, number>()
  for (const { score, n } of rows) counts.set(score, (counts.get(score) ?? 0) + n)
  return counts
}

function onScale(metric: Metric, counts: ScoreCounts): Array<[number, number]> {
  const { min, max } = scaleOf(metric)
  return [...counts].filter(([score]) => score >= min && score <= max)
}

type Spread = Pick<Figure, 'interval'> & { score: number }

/** % of promoters less % of detractors, by the population variance of −100, 0 and 100. */
function balance(up: number, down: number, n: number): Spread {
  const score = 100 * (up - down)
  const margin = npsMargin(up, down, n)
  return { score, interval: interval(score - margin, score + margin, { lowest: -100, method: 'normal' }) }
}

function npsMargin(up: number, down: number, n: number): number {
  return 100 * Z_95 * Math.sqrt(Math.max(0, up + down - (up - down) ** 2) / n)
}

/** The share of the top boxes, in per cent. */
function share(part: number, n: number, method: 'wilson' | 't'): Spread {
  const score = 100 * part
  if (method === 't') {
    const margin = 100 * quantileOfT(n - 1) * Math.sqrt((part * (1 - part)) / (n - 1))
    return { score, interval: interval(score - margin, score + margin, { lowest: 0, method }) }
  }
  const scale = 1 + Z_95 ** 2 / n
  const middle = (part + Z_95 ** 2 / (2 * n)) / scale
  const half = (Z_95 * Math.sqrt((part * (1 - part)) / n + Z_95 ** 2 / (4 * n ** 2))) / scale
  return { score, interval: interval(100 * (middle - half), 100 * (middle + half), { lowest: 0, method }) }
}

/** The 95 % confidence interval of a share in per cent. Null below n = 5, and where all are of one side. */
export function shareOf(part: number, n: number): Interval | null {
  if (n < FEWEST_FOR_INTERVAL || part === 0 || part === n) return null
  return share(part / n, n, 'wilson').interval
}

/** One figure minus another, with its 95 % interval. */
export interface Change {
  value: number
  low: number
  high: number
  /** Whether the interval excludes zero. */
  clear: boolean
}

type Estimate = { value: number | null; interval?: Interval | null | undefined }

/** Null unless both have an interval. */
export function changeBetween(now: Estimate, other: Estimate): Change | null {
  if (!now.interval || !other.interval || now.value === null || other.value === null) return null
  const value = now.value - other.value
  const half = Math.hypot(halfWidthOf(now.value, now.interval), halfWidthOf(other.value, other.interval))
  const [low, high] = [toHundredths(value - half), toHundredths(value + half)]
  return { value: toHundredths(value), low, high, clear: low > 0 || high < 0 }
}

/** Half the width of an interval before it was cut at the ends of its scale. */
function halfWidthOf(value: number, { low, high, method }: Interval): number {
  return method === 'wilson' ? (high - low) / 2 : Math.max(high - value, value - low)
}

function interval(
  low: number,
  high: number,
  { lowest, method }: { lowest: number; method: Interval['method'] },
): Interval {
  return { low: toHundredths(Math.max(lowest, low)), high: toHundredths(Math.min(100, high)), level: 95, method }
}

// Rounds half away from zero, so that a survey and its mirror image have mirrored scores; never -0.
function toHundredths(value: number): number {
  return (Math.sign(value) * Math.round(Math.abs(value) * 100)) / 100 + 0
}

/** The 97.5 % quantile of Student's t: Hill's approximation (ACM Algorithm 396), exact for 1 and 2 degrees. */
export function quantileOfT(degrees: number): number {
  const p = 0.05
  if (degrees === 1) return 1 / Math.tan((p * Math.PI) / 2)
  if (degrees === 2) return Math.sqrt(2 / (p * (2 - p)) - 2)
  const a = 1 / (degrees - 0.5)
  const b = 48 / a ** 2
  let c = ((20_700 * a) / b - 98) * a - 16 + 96.36
  const d = ((94.5 / (b + c) - 3) / b + 1) * Math.sqrt((a * Math.PI) / 2) * degrees
  let y = (d * p) ** (2 / degrees)
  if (y > 0.05 + a) {
    const x = -1.959963984540054
    y = x ** 2
    if (degrees < 5) c += 0.3 * (degrees - 4.5) * (x + 0.6)
    c = (((0.05 * d * x - 5) * x - 7) * x - 2) * x + b + c
    y = (((((0.4 * y + 6.3) * y + 36) * y + 94.5) / c - y - 3) / b + 1) * x
    y = Math.expm1(a * y ** 2)
  } else {
    y =
      ((1 / (((degrees + 6) / (degrees * y) - 0.089 * d - 0.822) * (degrees + 2) * 3) + 0.5 / (degrees + 4)) * y - 1) *
        ((degrees + 1) / (degrees + 2)) +
      1 / y
  }
  return Math.sqrt(degrees * y)
}
