import type { Metric } from '../../../src/survey-engine/model/definition.ts'

export type { Metric }

/** A score, and how sure it is. */
export interface Scored {
  n: number
  score: number | null
  interval: { low: number; high: number } | null
}

/** This figure minus another, with its 95 % interval. */
export interface Change {
  value: number
  low: number
  high: number
}

/** Another figure that a score is compared with. */
export interface Compared extends Scored {
  change: Change | null
}

/** A number or a name in a sentence. `digits` are those behind the point. */
export type Value = Amount | { text: string }
export interface Amount {
  number: number
  as: 'count' | 'points' | 'percent'
  digits: number
}

/** A sentence: its text, and what stands in it. */
export interface Sentence {
  key: string
  values: Record<string, Value>
}

/** The sentence that a screen says first, of two parts at most, and what is said below it. */
export interface Lede {
  lede: Sentence[]
  sub: Sentence[]
}

/** Below this a score says nothing. */
export const FEWEST = 5
const MOST_DIGITS = 2

export const count = (number: number): Amount => ({ number, as: 'count', digits: 0 })
export const share = (number: number): Amount => ({ number: rounded(number, 0), as: 'percent', digits: 0 })
export const name = (text: string): Value => ({ text })

/** Whether a difference is more than chance: its interval holds no zero. */
export function isClear(change: Change | null): change is Change {
  return change !== null && (change.low > 0 || change.high < 0)
}

/** Half of the wider side of an interval: "give or take". */
export function marginOf({ score, interval }: Scored): number | null {
  return score === null || interval === null ? null : Math.max(interval.high - score, score - interval.low)
}

export function rounded(number: number, digits: number): number {
  const scale = 10 ** digits
  return (Math.sign(number) * Math.round(Math.abs(number) * scale)) / scale + 0
}

/** The fewest digits with which the margin, and a clear difference, do not vanish. */
export function digitsFor(now: Scored, other: Compared | null): number {
  const margin = marginOf(now)
  const isShown = (digits: number) =>
    (margin === null || rounded(margin, digits) > 0) &&
    (other === null || !isClear(other.change) || difference(now, other, digits) !== 0)
  for (let digits = 0; digits < MOST_DIGITS; digits += 1) if (isShown(digits)) return digits
  return MOST_DIGITS
}

/** The difference of two scores as a reader of both would count it. */
export function difference(now: Scored, other: Scored, digits: number): number {
  return rounded(rounded(now.score ?? 0, digits) - rounded(other.score ?? 0, digits), digits)
}

/** A score on its scale: points of NPS, or per cent of the top boxes. */
export function scoreValue(metric: Metric, score: number, digits: number): Value {
  return { number: rounded(score, digits), as: metric === 'nps' ? 'points' : 'percent', digits }
}

export function points(number: number, digits: number): Amount {
  return { number: rounded(number, digits), as: 'points', digits }
}

export function metricName(metric: Metric): Value {
  return name(metric.toUpperCase())
}

/** The topics that the first sentences of a screen name. */
export function topicsNamed({ lede, sub }: Lede): string[] {
  return [...lede, ...sub].flatMap(({ values: { topic } }) => (topic && 'text' in topic ? [topic.text] : []))
}

/** The topics of a table in their order: the first ones, and those that a sentence names. */
export function shownTopics<Row extends { topic: { name: string } }>(
  topics: Row[],
  named: string[],
  most: number,
): Row[] {
  const isNamed = ({ topic }: Row) => named.includes(topic.name)
  const others = most - topics.filter(isNamed).length
  const first = new Set(topics.filter((row) => !isNamed(row)).slice(0, others))
  return topics.filter((row) => isNamed(row) || first.has(row))
}
