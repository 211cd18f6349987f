import type { MatrixQuestion, Question } from '../../../../survey-engine/model/definition.ts'
import type { Kind } from '../../../../survey-engine/types/behaviour.ts'
import { scoresIn } from '../../../../survey-engine/types/families/scored.ts'
import { kindOf, scaleOf, type QuestionOfKind } from '../../../../survey-engine/types/registry.ts'

const MOST_DATES = 200

/** How often a value was given. `part` is the row of a matrix or the place in a ranking. */
export interface AnswerCount {
  question: string
  type: string
  part: string | null
  value: string
  n: number
}

/** A line of a distribution. */
interface Bar {
  value: number | string | boolean
  row?: string
  count: number
  share: number | null
  mean_rank?: number | null
}

/**
 * The lines of one question's report: the question's values in its order, then values of older versions.
 * @param answered completed responses that answered the question.
 */
export function distributionOf(question: Question | undefined, rows: AnswerCount[], answered: number): Bar[] {
  const kind = kindOf(question?.type ?? rows[0]?.type ?? '')
  const distribution = kind && (DISTRIBUTIONS[kind] as Distribution<Question>)
  return distribution?.(question, rows, answered) ?? []
}

/** The mean and median of a slider's answers. Undefined for other types. */
export function averagesOf(
  question: Question | undefined,
  rows: AnswerCount[],
): { mean: number | null; median: number | null } | undefined {
  if (kindOf(question?.type ?? rows[0]?.type ?? '') !== 'number') return undefined
  const numbers = rows.map(({ value, n }) => ({ value: Number(value), n })).sort((a, b) => a.value - b.value)
  const total = numbers.reduce((sum, { n }) => sum + n, 0)
  if (total === 0) return { mean: null, median: null }
  const sum = numbers.reduce((all, { value, n }) => all + value * n, 0)
  const [lower, upper] = [Math.ceil(total / 2), Math.floor(total / 2) + 1].map((place) => numberAt(numbers, place))
  return { mean: toThousandths(sum / total), median: toThousandths(((lower ?? 0) + (upper ?? 0)) / 2) }
}

/** The question is undefined if only older versions have it. */
type Distribution<Q> = (question: Q | undefined, rows: AnswerCount[], answered: number) => Bar[]

const DISTRIBUTIONS: { [K in Kind]: Distribution<QuestionOfKind<K>> } = {
  scale: scoreBars,
  number: numberBars,
  choice: choiceBars,
  ranking(question, rows, answered) {
    const ofValue = Map.groupBy(rows, ({ value }) => value)
    return barsOf(question?.choices.map(({ id }) => id) ?? [], rows, answered).map((bar) => ({
      ...bar,
      mean_rank: meanRank(ofValue.get(String(bar.value)) ?? []),
    }))
  },
  matrix: matrixBars,
  // Open text is not counted.
  text: () => [],
  fields: () => [],
  none: () => [],
  date: (_question, rows, answered) => barsOf([], mostFrequent(rows), answered),
  yes: (_question, rows, answered) => [true, false].map((value) => barOf(value, rows, answered)),
}

function scoreBars(question: Question | undefined, rows: AnswerCount[], answered: number): Bar[] {
  const scale = question && scaleOf(question)
  return scale ? scoresIn(scale).map((score) => barOf(score, rows, answered)) : barsOf([], rows, answered)
}

/** Only the given numbers, lowest first, because a slider may have 1,001 places. */
function numberBars(_question: unknown, rows: AnswerCount[], answered: number): Bar[] {
  const bars = rows.map(({ value, n }) => ({ value: Number(value), count: n, share: percent(n, answered) }))
  return bars.sort((a, b) => a.value - b.value)
}

function choiceBars(question: QuestionOfKind<'choice'> | undefined, rows: AnswerCount[], answered: number): Bar[] {
  const known = question?.choices.map(({ id }) => id) ?? []
  return barsOf(question?.allow_other === true ? [...known, 'other'] : known, rows, answered)
}

/** The question's values in its order, then values of older versions. */
function barsOf(known: string[], rows: AnswerCount[], answered: number): Bar[] {
  const counts = countsOf(rows)
  return [...new Set([...known, ...[...counts.keys()].sort()])].map((value) => {
    const count = counts.get(value) ?? 0
    return { value, count, share: percent(count, answered) }
  })
}

/** Respondents may give a hundred thousand months. */
function mostFrequent(rows: AnswerCount[]): AnswerCount[] {
  return rows.length <= MOST_DATES ? rows : rows.toSorted((a, b) => b.n - a.n).slice(0, MOST_DATES)
}

function countsOf(rows: AnswerCount[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { value, n } of rows) counts.set(value, (counts.get(value) ?? 0) + n)
  return counts
}

function barOf(value: Bar['value'], rows: AnswerCount[], answered: number): Bar {
  const count = rows.reduce((sum, row) => (row.value === String(value) ? sum + row.n : sum), 0)
  return { value, count, share: percent(count, answered) }
}

function matrixBars(question: MatrixQuestion | undefined, rows: AnswerCount[]): Bar[] {
  const lines = question?.rows.map(({ id }) => id) ?? []
  const columns = question?.columns.map(({ id }) => id) ?? []
  const ofRow = Map.groupBy(rows, ({ part }) => part ?? '')
  const all = (known: string[], seen: Iterable<string>) => [...new Set([...known, ...[...seen].sort()])]
  return all(lines, ofRow.keys()).flatMap((row) => {
    const here = ofRow.get(row) ?? []
    const inRow = here.reduce((sum, { n }) => sum + n, 0)
    const counts = countsOf(here)
    return all(columns, counts.keys()).map((value) => {
      const count = counts.get(value) ?? 0
      return { row, value, count, share: percent(count, inRow) }
    })
  })
}

/** The number at this place of all answers, from 1. */
function numberAt(numbers: { value: number; n: number }[], place: number): number {
  let passed = 0
  for (const { value, n } of numbers) {
    passed += n
    if (passed >= place) return value
  }
  return NaN
}

function toThousandths(value: number): number {
  return Math.round(value * 1_000) / 1_000
}

function meanRank(rows: AnswerCount[]): number | null {
  const n = rows.reduce((sum, row) => sum + row.n, 0)
  return n === 0 ? null : Math.round((rows.reduce((sum, row) => sum + Number(row.part) * row.n, 0) / n) * 100) / 100
}

/** A percentage with two decimals. Null if `whole` is 0. */
export function percent(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.round((part * 10_000) / whole) / 100
}
