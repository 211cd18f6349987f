import type { Metric } from '../../../survey-engine/model/definition.ts'

export type Method = 'normal' | 'wilson' | 't'

export interface Interval {
  low: number
  high: number
  level: 95
  method: Method
}

export interface Figure {
  n: number
  /** NPS from −100 to 100, CSAT in per cent, CES as the mean from 1 to 7. Null without answers. */
  score: number | null
  interval: Interval | null
}

/** How often each score was given. */
export type Counts = ReadonlyMap<number, number>

const Z = 1.96

/** The score of a metric with its 95 % confidence interval (docs/agents.md, "Figures"). */
export function figureOf(metric: Metric, counts: Counts): Figure {
  return { nps: npsOf, csat: csatOf, ces: cesOf }[metric](counts)
}

// By the population variance of −100, 0 and 100.
function npsOf(counts: Counts): Figure {
  const n = total(counts, 0, 10)
  if (n === 0) return NOTHING
  const [up, down] = [total(counts, 9, 10) / n, total(counts, 0, 6) / n]
  const score = 100 * (up - down)
  const margin = 100 * Z * Math.sqrt(Math.max(0, up + down - (up - down) ** 2) / n)
  return figure(n, score, { low: Math.max(-100, score - margin), high: Math.min(100, score + margin) }, 'normal')
}

function csatOf(counts: Counts): Figure {
  const n = total(counts, 1, 5)
  if (n === 0) return NOTHING
  const share = total(counts, 4, 5) / n
  const middle = (share + Z ** 2 / (2 * n)) / (1 + Z ** 2 / n)
  const half = (Z * Math.sqrt((share * (1 - share)) / n + Z ** 2 / (4 * n ** 2))) / (1 + Z ** 2 / n)
  return figure(n, 100 * share, { low: 100 * (middle - half), high: 100 * (middle + half) }, 'wilson')
}

// One answer shows nothing about the others, so it has no interval.
function cesOf(counts: Counts): Figure {
  const n = total(counts, 1, 7)
  if (n === 0) return NOTHING
  const scores = [...counts].filter(([score]) => score >= 1 && score <= 7)
  const mean = scores.reduce((sum, [score, times]) => sum + score * times, 0) / n
  if (n === 1) return { n, score: rounded(mean), interval: null }
  const squares = scores.reduce((sum, [score, times]) => sum + times * (score - mean) ** 2, 0)
  const margin = quantileOfT(n - 1) * Math.sqrt(squares / (n - 1) / n)
  return figure(n, mean, { low: Math.max(1, mean - margin), high: Math.min(7, mean + margin) }, 't')
}

const NOTHING: Figure = { n: 0, score: null, interval: null }

function figure(n: number, score: number, { low, high }: { low: number; high: number }, method: Method): Figure {
  return { n, score: rounded(score), interval: { low: rounded(low), high: rounded(high), level: 95, method } }
}

function total(counts: Counts, low: number, high: number): number {
  let sum = 0
  for (const [score, times] of counts) if (score >= low && score <= high) sum += times
  return sum
}

/** Two decimals, never −0. */
function rounded(value: number): number {
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
