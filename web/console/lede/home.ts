import {
  count,
  digitsFor,
  FEWEST,
  isClear,
  marginOf,
  metricName,
  name,
  points,
  rounded,
  scoreValue,
  share,
  type Compared,
  type Lede,
  type Metric,
  type Scored,
  type Sentence,
  type Value,
} from './figures.ts'

/** The figures of the workspace that home shows. */
export interface HomeData {
  /** Whether the workspace has a survey. */
  hasSurvey: boolean
  /** Responses that began in the period. */
  began: number
  /** The metric of the first score. */
  metric: Metric
  /** The survey whose score it is. Null: all surveys of the metric. */
  survey: string | null
  now: Scored
  before: Compared
  /** Those who gave a bad score, and those who gave a good one, in both periods. */
  bad: Both
  good: Both
  topics: HomeTopic[]
  /** The topic that most texts are about, and its share of them in per cent. */
  commonest: { name: string; share: number } | null
}

/** A number now, and in the period before. */
interface Both {
  now: number
  before: number
}

export interface HomeTopic {
  name: string
  /** Bad and good scores of its writers. */
  bad: Both
  good: Both
}

/** How are we doing? */
export function homeLede(data: HomeData): Lede {
  return { lede: headline(data), sub: cause(data) }
}

function headline({ hasSurvey, began, metric, survey, now, before }: HomeData): Sentence[] {
  if (!hasSurvey) return [{ key: 'lede:noSurvey', values: {} }]
  if (began === 0 && now.n === 0) return [{ key: 'lede:none', values: {} }]
  if (now.n === 0) return [{ key: 'lede:unscored', values: { n: count(began) } }]
  if (now.score === null || now.n < FEWEST) return [{ key: 'lede:few', values: { n: count(now.n) } }]
  const digits = digitsFor(now, before)
  const margin = marginOf(now)
  const values: Record<string, Value> = {
    metric: metricName(metric),
    score: scoreValue(metric, now.score, digits),
    ...(survey !== null && { survey: name(survey) }),
    ...(margin !== null && { margin: points(margin, digits) }),
  }
  const isAlike = margin === null
  const ofAll = isAlike ? 'lede:homeAlike' : 'lede:home'
  const ofOne = isAlike ? 'lede:homeSurveyAlike' : 'lede:homeSurvey'
  return [{ key: survey === null ? ofAll : ofOne, values }, changeOf(metric, before, digits)]
}

function changeOf(metric: Metric, before: Compared, digits: number): Sentence {
  if (before.score === null || before.n < FEWEST) return { key: 'lede:noBefore', values: {} }
  if (!isClear(before.change)) return { key: 'lede:same', values: {} }
  return {
    key: before.change.value < 0 ? 'lede:homeFell' : 'lede:homeRose',
    values: { before: scoreValue(metric, before.score, digits) },
  }
}

/** A topic is named as the cause only if it makes half of the change or more. */
function cause(data: HomeData): Sentence[] {
  const { metric, now, before, topics, bad, good, commonest } = data
  if (now.score === null || now.n < FEWEST) return []
  if (metric === 'nps' && before.n >= FEWEST && before.score !== null && isClear(before.change)) {
    const whole = before.change.value
    const weight = ({ bad: down, good: up }: HomeTopic) =>
      (100 * (up.now - down.now)) / now.n - (100 * (up.before - down.before)) / before.n
    const [largest] = topics.toSorted((a, b) => (weight(b) - weight(a)) * Math.sign(whole))
    if (largest && weight(largest) / whole >= 0.5) {
      const [part, all] = whole < 0 ? [largest.bad, bad] : [largest.good, good]
      if (all.now >= FEWEST && all.before >= FEWEST) {
        const shares = { now: share((100 * part.now) / all.now), before: share((100 * part.before) / all.before) }
        return [
          { key: whole < 0 ? 'lede:causeFall' : 'lede:causeRise', values: { topic: name(largest.name), ...shares } },
        ]
      }
    }
  }
  if (!commonest || rounded(commonest.share, 0) === 0) return []
  return [{ key: 'lede:writeAbout', values: { topic: name(commonest.name), share: share(commonest.share) } }]
}
