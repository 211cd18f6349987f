import {
  count,
  difference,
  digitsFor,
  FEWEST,
  isClear,
  marginOf,
  metricName,
  name,
  points,
  scoreValue,
  type Compared,
  type Lede,
  type Metric,
  type Scored,
  type Sentence,
} from './figures.ts'

/** The figures of a survey that its results show. */
export interface ResultsData {
  metric: Metric | null
  isFiltered: boolean
  began: number
  completed: number
  now: Scored
  before: Compared
  /** The group of a second filter, by its name. */
  beside: Beside | null
  /** Unfinished responses by the question at which they stopped. */
  stopped: Array<{ question: string; n: number }>
  topics: Topic[]
}

export interface Beside extends Compared {
  group: string
}

export interface Topic {
  name: string
  /** The mean score of those who name it less that of the others, and its interval. */
  impact: number | null
  interval: { low: number; high: number } | null
}

/** What do they say, and is it real? */
export function resultsLede(data: ResultsData): Lede {
  return { lede: [...headline(data)], sub: [...leaving(data), ...topicsOf(data)] }
}

function headline(data: ResultsData): Sentence[] {
  const { metric, isFiltered, began, completed, now } = data
  if (began === 0) return [{ key: isFiltered ? 'lede:noneFiltered' : 'lede:none', values: {} }]
  if (completed === 0) return [{ key: 'lede:unfinished', values: { n: count(began) } }]
  if (metric === null) return [{ key: 'lede:answers', values: { n: count(completed), began: count(began) } }]
  if (now.score === null || now.n < FEWEST) return [{ key: 'lede:few', values: { n: count(now.n) } }]
  const digits = digitsFor(now, data.beside ?? data.before)
  const margin = marginOf(now)
  const values = { metric: metricName(metric), score: scoreValue(metric, now.score, digits), n: count(now.n) }
  const first: Sentence =
    margin === null
      ? { key: 'lede:alike', values }
      : { key: 'lede:score', values: { ...values, margin: points(margin, digits) } }
  return [first, data.beside ? besideOf(now, data.beside, digits) : changeOf(now, data.before, digits)]
}

/** The change since the period before. */
export function changeOf(now: Scored, before: Compared, digits: number): Sentence {
  if (before.score === null || before.n < FEWEST) return { key: 'lede:noBefore', values: {} }
  if (!isClear(before.change)) return { key: 'lede:same', values: {} }
  const by = difference(now, before, digits)
  return { key: by < 0 ? 'lede:fell' : 'lede:rose', values: { by: points(Math.abs(by), digits) } }
}

function besideOf(now: Scored, beside: Beside, digits: number): Sentence {
  const group = name(beside.group)
  if (beside.score === null || beside.n < FEWEST) return { key: 'lede:fewBeside', values: { group } }
  if (!isClear(beside.change)) return { key: 'lede:sameBeside', values: { group } }
  const by = difference(now, beside, digits)
  return { key: by < 0 ? 'lede:lower' : 'lede:higher', values: { by: points(Math.abs(by), digits), group } }
}

/** Where most of those stop who do not finish. "Most" only from half on. */
function leaving({ stopped, completed }: ResultsData): Sentence[] {
  const all = stopped.reduce((sum, { n }) => sum + n, 0)
  const [worst, next] = stopped.toSorted((a, b) => b.n - a.n)
  if (!worst || completed === 0 || all < FEWEST || worst.n === next?.n) return []
  const question = name(worst.question)
  if (worst.n * 2 >= all) return [{ key: 'lede:leave', values: { question } }]
  return [{ key: 'lede:leaveSome', values: { question, n: count(worst.n) } }]
}

/** The topic with the largest effect that is more than chance. It is no proof of a cause, and is not called one. */
function topicsOf({ topics, now }: ResultsData): Sentence[] {
  if (now.n < FEWEST) return []
  const [largest] = topics
    .flatMap((topic) => {
      const { impact, interval } = topic
      if (impact === null || interval === null || !(interval.low > 0 || interval.high < 0)) return []
      return [{ topic: topic.name, impact }]
    })
    .toSorted((a, b) => Math.abs(b.impact) - Math.abs(a.impact))
  if (!largest || Math.abs(largest.impact) < 0.05) return []
  const values = { topic: name(largest.topic), by: points(Math.abs(largest.impact), 1) }
  return [{ key: largest.impact < 0 ? 'lede:topicLower' : 'lede:topicHigher', values }]
}
