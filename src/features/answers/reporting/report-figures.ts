import type { Question, SurveyDefinition } from '../../../survey-engine/model/definition.ts'
import { ces, csat, nps, type ScoreCounts } from '../../../survey-engine/logic/metrics.ts'
import { scoresOf } from './metric-scales.ts'
import { allowsOther, choicesOf, scaleOf } from '../../../survey-engine/model/questions.ts'
import { localize } from '../../../survey-engine/model/text.ts'

export interface StateCount {
  state: string
  n: number
}

export interface ScoreCount {
  type: string
  value: number
  n: number
}

const STATES = ['started', 'partial', 'completed', 'screened_out', 'over_quota', 'quarantined', 'deleted'] as const

/** The headline figures of one period. */
export function headline({ states, scores }: { states: StateCount[]; scores: ScoreCount[] }) {
  const of = (state: string) => states.reduce((sum, row) => (row.state === state ? sum + row.n : sum), 0)
  const counts = Object.fromEntries(STATES.map((state) => [state, of(state)])) as Record<(typeof STATES)[number], number>
  const total = states.reduce((sum, row) => sum + row.n, 0)
  const scored = (type: string) => scores.filter((row) => row.type === type)
  return {
    counts: { ...counts, total },
    completion_rate: percent(counts.completed, total - counts.quarantined - counts.deleted),
    nps: nps(countsOf(scored('nps'))),
    csat: csat(countsOf(scored('csat'))),
    ces: ces(countsOf(scored('ces'))),
  }
}

/** Of one interval of a trend; the first is slot 1. `scores` has a count for each score of the metric's scale, lowest first. */
export interface TrendCount {
  slot: number
  responses: number
  completed: number
  scores: number[]
}

/** One entry for each interval of the period, those without responses too. */
export function trendOf(buckets: { date: string; from: Date }[], rows: TrendCount[], metric: SurveyDefinition['metric']) {
  const bySlot = Map.groupBy(rows, ({ slot }) => slot)
  return buckets.map(({ date, from }, index) => {
    const here = bySlot.get(index + 1) ?? []
    const scores = metric === null ? [] : here.flatMap((row) => scoresOf(metric).map((value, i) => ({ value, n: row.scores[i] ?? 0 })))
    const figure = metric === null ? { score: null, n: 0 } : { nps, csat, ces }[metric](countsOf(scores))
    return {
      date,
      from: from.toISOString(),
      responses: here.reduce((sum, row) => sum + row.responses, 0),
      completed: here.reduce((sum, row) => sum + row.completed, 0),
      score: figure.score,
      n: figure.n,
    }
  })
}

export interface AnswerCount {
  question: string
  type: string
  part: string | null
  value: string
  n: number
}

/** Question id → count. */
export interface CountedQuestions {
  reached: ReadonlyMap<string, number>
  /** Unfinished responses that stopped at it. */
  dropped: ReadonlyMap<string, number>
  answered: ReadonlyMap<string, number>
  /** Answered in a completed response. */
  finished: ReadonlyMap<string, number>
  answers: AnswerCount[]
}

/** Every question of the present version in its order, then those that only older versions had. */
export function questionReports(definition: SurveyDefinition, { reached, dropped, answered, finished, answers }: CountedQuestions) {
  const answersOf = Map.groupBy(answers, ({ question }) => question)
  const present = new Map(definition.questions.map((question) => [question.id, question]))
  const gone = [...answersOf.keys()].filter((id) => !present.has(id)).sort()
  return [...present.keys(), ...gone].map((id) => {
    const question = present.get(id)
    const met = reached.get(id) ?? 0
    const given = answered.get(id) ?? 0
    const rows = answersOf.get(id) ?? []
    return {
      question_id: id,
      type: question?.type ?? rows[0]?.type ?? 'statement',
      title: question ? localize(question.title, definition.default_language, definition.default_language) : null,
      reached: met,
      answered: given,
      dropped_off: dropped.get(id) ?? 0,
      completion_rate: percent(given, met),
      distribution: distribution(question, rows, finished.get(id) ?? 0),
    }
  })
}

interface Bar {
  value: number | string | boolean
  row?: string
  count: number
  share: number | null
  mean_rank?: number | null
}

function distribution(question: Question | undefined, rows: AnswerCount[], answered: number): Bar[] {
  const type = question?.type ?? rows[0]?.type
  const scale = question && scaleOf(question)
  const count = (value: string) => rows.reduce((sum, row) => (row.value === value ? sum + row.n : sum), 0)
  const bar = (value: Bar['value']): Bar => ({ value, count: count(String(value)), share: percent(count(String(value)), answered) })
  if (scale) return Array.from({ length: scale.max - scale.min + 1 }, (_, index) => bar(scale.min + index))
  if (type === 'consent') return [bar(true), bar(false)]
  if (type === 'matrix') return matrixBars(question, rows)
  const known = question ? [...choicesOf(question).map(({ id }) => id), ...(allowsOther(question) ? ['other'] : [])] : []
  const values = [...new Set([...known, ...rows.map(({ value }) => value).sort()])]
  if (type !== 'ranking') return values.map(bar)
  return values.map((value) => ({ ...bar(value), mean_rank: meanRank(rows.filter((row) => row.value === value)) }))
}

function matrixBars(question: Question | undefined, rows: AnswerCount[]): Bar[] {
  const lines = question?.type === 'matrix' ? question.rows.map(({ id }) => id) : []
  const columns = question?.type === 'matrix' ? question.columns.map(({ id }) => id) : []
  const all = (known: string[], seen: string[]) => [...new Set([...known, ...seen.sort()])]
  return all(
    lines,
    rows.map(({ part }) => part ?? ''),
  ).flatMap((row) => {
    const here = rows.filter(({ part }) => part === row)
    const inRow = here.reduce((sum, { n }) => sum + n, 0)
    return all(
      columns,
      here.map(({ value }) => value),
    ).map((value) => {
      const count = here.reduce((sum, cell) => (cell.value === value ? sum + cell.n : sum), 0)
      return { row, value, count, share: percent(count, inRow) }
    })
  })
}

function meanRank(rows: AnswerCount[]): number | null {
  const n = rows.reduce((sum, row) => sum + row.n, 0)
  return n === 0 ? null : Math.round((rows.reduce((sum, row) => sum + Number(row.part) * row.n, 0) / n) * 100) / 100
}

function countsOf(rows: { value: number; n: number }[]): ScoreCounts {
  const counts: Record<number, number> = {}
  for (const { value, n } of rows) counts[value] = (counts[value] ?? 0) + n
  return counts
}

function percent(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.round((part * 10_000) / whole) / 100
}
