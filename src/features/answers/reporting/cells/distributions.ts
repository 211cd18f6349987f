import type { MatrixQuestion, Question } from '../../../../survey-engine/model/definition.ts'
import type { Kind } from '../../../../survey-engine/types/behaviour.ts'
import { scoresIn } from '../../../../survey-engine/types/families/scored.ts'
import { isPlace, rangeOf } from '../../../../survey-engine/types/slider.ts'
import { kindOf, scaleOf, type QuestionOfKind } from '../../../../survey-engine/types/registry.ts'

/** Versions and dates are many, so a report shows so many questions, and values of each, that the survey lacks. */
const MOST_GONE = 200
// Rows between two yields. One alone would take most of its time for the look at the clock.
const STEP = 50

/** Work that may be interrupted where it yields. */
type Steps<Result> = Generator<undefined, Result, undefined>

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
 * The lines of one question's report: the question's values in its order, then the most frequent of older versions.
 * It works in steps, because respondents may give a hundred thousand months.
 * @param answered completed responses that answered the question.
 */
export function* distributionOf(question: Question | undefined, rows: AnswerCount[], answered: number): Steps<Bar[]> {
  const kind = kindOf(question?.type ?? rows[0]?.type ?? '')
  const distribution = kind && (DISTRIBUTIONS[kind] as Distribution<Question> | null)
  return distribution ? yield* distribution(question, rows, answered) : []
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
type Distribution<Q> = (question: Q | undefined, rows: AnswerCount[], answered: number) => Steps<Bar[]>

const DISTRIBUTIONS: { [K in Kind]: Distribution<QuestionOfKind<K>> | null } = {
  scale: scoreBars,
  number: numberBars,
  choice: choiceBars,
  *ranking(question, rows, answered) {
    const ofValue = Map.groupBy(rows, ({ value }) => value)
    const bars = yield* barsOf(question?.choices.map(({ id }) => id) ?? [], rows, answered)
    return bars.map((bar) => ({ ...bar, mean_rank: meanRank(ofValue.get(String(bar.value)) ?? []) }))
  },
  matrix: matrixBars,
  // Open text is not counted.
  text: null,
  fields: null,
  none: null,
  date: (_question, rows, answered) => barsOf([], rows, answered),
  *yes(_question, rows, answered) {
    yield
    return [true, false].map((value) => barOf(value, rows, answered))
  },
}

function* scoreBars(question: Question | undefined, rows: AnswerCount[], answered: number): Steps<Bar[]> {
  const scale = question && scaleOf(question)
  return scale ? scoresIn(scale).map((score) => barOf(score, rows, answered)) : yield* barsOf([], rows, answered)
}

/** Only the given numbers, lowest first, because a slider may have 1,001 places. */
function* numberBars(
  question: QuestionOfKind<'number'> | undefined,
  rows: AnswerCount[],
  answered: number,
): Steps<Bar[]> {
  const range = question && rangeOf(question)
  const { present, gone } = yield* split(rows, (value) => range !== undefined && isPlace(Number(value), range))
  const bars = [...present, ...(yield* mostFrequent(gone))].map(([value, count]) => ({
    value: Number(value),
    count,
    share: percent(count, answered),
  }))
  return bars.sort((a, b) => a.value - b.value)
}

function choiceBars(
  question: QuestionOfKind<'choice'> | undefined,
  rows: AnswerCount[],
  answered: number,
): Steps<Bar[]> {
  const known = question?.choices.map(({ id }) => id) ?? []
  return barsOf(question?.allow_other === true ? [...known, 'other'] : known, rows, answered)
}

/** The question's values in its order, then the most frequent of older versions. Dates are like those. */
function* barsOf(known: string[], rows: AnswerCount[], answered: number): Steps<Bar[]> {
  const values = new Set(known)
  const { present, gone } = yield* split(rows, (value) => values.has(value))
  const shown = yield* mostFrequent(gone)
  return [...values, ...shown.keys()].map((value) => {
    const count = present.get(value) ?? shown.get(value) ?? 0
    return { value, count, share: percent(count, answered) }
  })
}

/** The counts of values that the question has, and of those that it had. */
function* split(
  rows: AnswerCount[],
  isPresent: (value: string) => boolean,
): Steps<Record<'present' | 'gone', Map<string, number>>> {
  const counts = { present: new Map<string, number>(), gone: new Map<string, number>() }
  for (const [at, { value, n }] of rows.entries()) {
    const known = isPresent(value) ? counts.present : counts.gone
    known.set(value, (known.get(value) ?? 0) + n)
    if (at % STEP === 0) yield
  }
  return counts
}

/** The highest counts, in the order of their names. */
export function* mostFrequent(counts: ReadonlyMap<string, number>): Steps<Map<string, number>> {
  let best: Counted[] = []
  let last: Counted | undefined
  let at = 0
  for (const each of counts) {
    if (at++ % STEP === 0) yield
    if (last && byCount(each, last) > 0) continue
    best.push(each)
    if (best.length < 2 * MOST_GONE) continue
    best = best.sort(byCount).slice(0, MOST_GONE)
    last = best.at(-1)
  }
  return new Map(best.sort(byCount).slice(0, MOST_GONE).sort(byName))
}

type Counted = [name: string, n: number]

function byCount(one: Counted, other: Counted): number {
  return other[1] - one[1] || byName(one, other)
}

function byName([one]: Counted, [other]: Counted): number {
  return one < other ? -1 : 1
}

function barOf(value: Bar['value'], rows: AnswerCount[], answered: number): Bar {
  const count = rows.reduce((sum, row) => (row.value === String(value) ? sum + row.n : sum), 0)
  return { value, count, share: percent(count, answered) }
}

function* matrixBars(question: MatrixQuestion | undefined, rows: AnswerCount[]): Steps<Bar[]> {
  const lines = new Set(question?.rows.map(({ id }) => id))
  const columns = new Set(question?.columns.map(({ id }) => id))
  const ofRow = new Map<string, Map<string, number>>()
  const gone = new Map<string, number>()
  for (const [at, { part, value, n }] of rows.entries()) {
    const row = part ?? ''
    const counts = ofRow.get(row) ?? new Map<string, number>()
    const sum = (counts.get(value) ?? 0) + n
    ofRow.set(row, counts.set(value, sum))
    // Ids have no spaces.
    if (!lines.has(row) || !columns.has(value)) gone.set(`${row} ${value}`, sum)
    if (at % STEP === 0) yield
  }
  const shown = [...(yield* mostFrequent(gone)).keys()].map((cell) => cell.split(' ') as [row: string, column: string])
  const othersOf = Map.groupBy(shown, ([row]) => row)
  return [...new Set([...lines, ...othersOf.keys()])].flatMap((row) => {
    const counts = ofRow.get(row) ?? new Map<string, number>()
    const inRow = [...counts.values()].reduce((sum, n) => sum + n, 0)
    const others = (othersOf.get(row) ?? []).map(([, column]) => column)
    return [...(lines.has(row) ? columns : []), ...others].map((value) => {
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
