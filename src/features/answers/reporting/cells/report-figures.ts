import type { SurveyDefinition } from '../../../../survey-engine/model/definition.ts'
import {
  changeBetween,
  countsOf,
  FEWEST_FOR_INTERVAL,
  figureOf,
  npsOf,
  scoresOf,
  type Figure,
  type ScoreCounts,
} from '../../../../survey-engine/metrics/metrics.ts'
import { runInSlices } from '../../../../platform/loop/turns.ts'
import { averagesOf, distributionOf, mostFrequent, percent, type AnswerCount } from './distributions.ts'
import { localize } from '../../../../survey-engine/model/text.ts'
import { RESPONSE_STATES, type ResponseState } from '../../rows/response-state.ts'

export interface StateCount {
  state: string
  n: number
}

export interface ScoreCount {
  type: string
  value: number
  n: number
}

/** The headline figures of one period. */
export function headline({ states, scores }: { states: StateCount[]; scores: ScoreCount[] }) {
  const of = (state: string) => states.reduce((sum, row) => (row.state === state ? sum + row.n : sum), 0)
  const counts = Object.fromEntries(RESPONSE_STATES.map((state) => [state, of(state)])) as Record<ResponseState, number>
  const total = states.reduce((sum, row) => sum + row.n, 0)
  const scored = (type: string) => counted(scores.filter((row) => row.type === type))
  return {
    counts: { ...counts, total },
    completion_rate: percent(counts.completed, total - counts.quarantined - counts.deleted),
    nps: npsOf(scored('nps')),
    csat: figureOf('csat', scored('csat')),
    ces: figureOf('ces', scored('ces')),
  }
}

export type Headline = ReturnType<typeof headline>

/** Another headline, with the change from it to this one for each metric. */
export function comparedWith(other: Headline, now: Headline) {
  return {
    ...other,
    nps: { ...other.nps, change: changeOf(now.nps, other.nps) },
    csat: { ...other.csat, change: changeOf(now.csat, other.csat) },
    ces: { ...other.ces, change: changeOf(now.ces, other.ces) },
  }
}

type Scored = Pick<Figure, 'score' | 'interval'>

function changeOf(now: Scored, other: Scored) {
  return changeBetween({ value: now.score, ...now }, { value: other.score, ...other })
}

/**
 * One interval of a trend, the first in slot 1. `scores` has a count for each score of the metric's scale, lowest
 * first.
 */
export interface TrendCount {
  slot: number
  responses: number
  completed: number
  scores: number[]
}

/** One entry for each interval of the period, even without responses. */
export function trendOf(
  buckets: { date: string; from: Date }[],
  rows: TrendCount[],
  metric: SurveyDefinition['metric'],
) {
  const bySlot = Map.groupBy(rows, ({ slot }) => slot)
  return buckets.map(({ date, from }, index) => {
    const here = bySlot.get(index + 1) ?? []
    const scores =
      metric === null
        ? []
        : here.flatMap((row) => scoresOf(metric).map((value, i) => ({ value, n: row.scores[i] ?? 0 })))
    const figure = metric === null ? { score: null, n: 0, interval: null } : figureOf(metric, counted(scores))
    return {
      date,
      from: from.toISOString(),
      responses: here.reduce((sum, row) => sum + row.responses, 0),
      completed: here.reduce((sum, row) => sum + row.completed, 0),
      score: figure.score,
      n: figure.n,
      enough: figure.n >= FEWEST_FOR_INTERVAL,
      interval: figure.interval,
    }
  })
}

/** Question id → count. */
export interface CountedQuestions {
  reached: ReadonlyMap<string, number>
  /** Unfinished responses that stopped at the question. */
  dropped: ReadonlyMap<string, number>
  answered: ReadonlyMap<string, number>
  /** Completed responses that answered the question. */
  finished: ReadonlyMap<string, number>
  answers: AnswerCount[]
}

/** The questions of the present version in order, then the most answered of older versions. */
export function questionReports(definition: SurveyDefinition, counts: CountedQuestions) {
  return runInSlices(reportsInSteps(definition, counts))
}

function* reportsInSteps(
  definition: SurveyDefinition,
  { reached, dropped, answered, finished, answers }: CountedQuestions,
) {
  const answersOf = new Map<string, AnswerCount[]>()
  for (const row of answers) {
    const rows = answersOf.get(row.question)
    if (rows) rows.push(row)
    else answersOf.set(row.question, [row])
    yield
  }
  const present = new Map(definition.questions.map((question) => [question.id, question]))
  const gone = new Map<string, number>()
  for (const id of answersOf.keys()) if (!present.has(id)) gone.set(id, finished.get(id) ?? 0)
  const reports = []
  for (const id of [...present.keys(), ...(yield* mostFrequent(gone)).keys()]) {
    const question = present.get(id)
    const met = reached.get(id) ?? 0
    const given = answered.get(id) ?? 0
    const rows = answersOf.get(id) ?? []
    reports.push({
      question_id: id,
      type: question?.type ?? rows[0]?.type ?? 'statement',
      title: question ? localize(question.title, definition.default_language, definition.default_language) : null,
      reached: met,
      answered: given,
      dropped_off: dropped.get(id) ?? 0,
      completion_rate: percent(given, met),
      ...averagesOf(question, rows),
      distribution: yield* distributionOf(question, rows, finished.get(id) ?? 0),
    })
    yield
  }
  return reports
}

function counted(rows: Array<{ value: number; n: number }>): ScoreCounts {
  return countsOf(rows.map(({ value, n }) => ({ score: value, n })))
}
