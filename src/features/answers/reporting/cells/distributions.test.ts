import { expect, test } from 'vitest'
import type { Question } from '../../../../survey-engine/model/definition.ts'
import { runInSlices } from '../../../../platform/loop/turns.ts'
import { readAnswer } from '../../../../survey-engine/logic/evaluation.ts'
import { EVERY_TYPE, surveyWith } from '../../../../survey-engine/survey.fixture.ts'
import { distributionOf, type AnswerCount } from './distributions.ts'
import { questionReports } from './report-figures.ts'

const barsOf = (question: Question | undefined, rows: AnswerCount[], answered: number) =>
  runInSlices(distributionOf(question, rows, answered))

const monthOf = (n: number) => `${1_000 + Math.floor(n / 12)}-${String((n % 12) + 1).padStart(2, '0')}`

test('of very many dates the 200 most frequent are shown, in their order', async () => {
  const rows = Array.from({ length: 5_000 }, (_, n) => ({
    question: 'd',
    type: 'date',
    part: null,
    value: monthOf(n),
    n: n % 25 === 0 ? 2 : 1,
  }))
  const bars = await barsOf(undefined, rows, 5_200)
  expect(bars).toHaveLength(200)
  expect(bars.every(({ count, share }) => count === 2 && share === 0.04)).toBe(true)
  expect(bars.map(({ value }) => value)).toEqual(rows.flatMap(({ value, n }) => (n === 2 ? [value] : [])))
})

const LINES = ['a', 'b'].map((id) => ({ id, label: 'L' }))
const CHOICES = { id: 'q', title: 'T', choices: LINES }
const MATRIX: Question = { id: 'q', title: 'T', type: 'matrix', rows: LINES, columns: LINES }
const OF_TYPES: Question[] = [
  { ...CHOICES, type: 'single' },
  { ...CHOICES, type: 'multi' },
  { ...CHOICES, type: 'ranking' },
  { id: 'q', title: 'T', type: 'slider', min: 0, max: 1 },
]
const numberOf = (value: string) => ({ a: 0, b: 1 })[value] ?? Number(value.slice(1))

test.each(OF_TYPES)('a $type keeps its values, and the 200 most frequent of older versions', async (question) => {
  const named = question.type === 'slider' ? (value: string) => String(numberOf(value)) : (value: string) => value
  const part = question.type === 'ranking' ? '1' : null
  const older = Array.from({ length: 1_000 }, (_, n) => ({ value: `c${n + 1_000}`, n: n % 5 === 0 ? 3 : 2 }))
  const rows = [{ value: 'a', n: 1 }, ...older].map(({ value, n }) => ({ part, value: named(value), n }))
  const whole = rows.map((row) => ({ question: 'q', type: question.type, ...row }))
  const bars = await barsOf(question, whole, 2_201)
  const values = [
    'a',
    ...(question.type === 'slider' ? [] : ['b']),
    ...older.flatMap((row) => (row.n === 3 ? [row.value] : [])),
  ]
  expect(bars.map(({ value }) => String(value))).toEqual(values.map(named))
  expect(bars[0]).toMatchObject({ count: 1, share: 0.05 })
  expect(bars.at(-1)).toMatchObject({ count: 3, share: 0.14 })
  const gone = await barsOf(undefined, whole, 2_201)
  expect(gone).toHaveLength(200)
})

test('a matrix keeps its cells and the 200 most frequent of older versions, and shares are of all in the row', async () => {
  const cell = (row: string, value: string, n: number) => ({ question: 'q', type: 'matrix', part: row, value, n })
  const older = Array.from({ length: 500 }, (_, n) => [cell('a', `x${n + 100}`, 1), cell(`r${n + 100}`, 'b', 2)]).flat()
  const bars = await barsOf(MATRIX, [...older, cell('a', 'a', 500), cell('a', 'gone', 9)], 1_000)
  expect(bars).toHaveLength(4 + 200)
  expect(bars.slice(0, 6)).toEqual([
    { row: 'a', value: 'a', count: 500, share: 49.55 },
    { row: 'a', value: 'b', count: 0, share: 0 },
    { row: 'a', value: 'gone', count: 9, share: 0.89 },
    { row: 'b', value: 'a', count: 0, share: null },
    { row: 'b', value: 'b', count: 0, share: null },
    { row: 'r100', value: 'b', count: 2, share: 100 },
  ])
})

test('of the questions of older versions the 200 most answered are shown', async () => {
  const ids = Array.from({ length: 600 }, (_, n) => `q${n + 100}`)
  const finished = new Map(ids.map((id, n) => [id, n % 3 === 0 ? 2 : 1]))
  const none = new Map<string, number>()
  const answers = ids.map((question) => ({ question, type: 'single', part: null, value: 'a', n: 1 }))
  const counts = { reached: none, dropped: none, answered: none, finished, answers }
  const reports = await questionReports(surveyWith([MATRIX]), counts)
  expect(reports.map((each) => each.question_id)).toEqual(['q', ...ids.filter((id) => finished.get(id) === 2)])
})

test.each(['date', 'multi', 'slider', 'matrix'])('no step of a %s reads more than 50 answers', (type) => {
  const rows = Array.from({ length: 1_000 }, (_, n) => ({ question: 'q', type, part: null, value: `${n}`, n: 1 }))
  // Those of the values, and again to find the most frequent.
  expect([...distributionOf(undefined, rows, 1_000)].length).toBeGreaterThanOrEqual(2 * (1_000 / 50))
})

test('of every type, the lines of a report are numbers where the answer is a number that is no text', async () => {
  for (const question of EVERY_TYPE) {
    const { id, type } = question
    const bars = await barsOf(question, [{ question: id, type, part: null, value: '3', n: 1 }], 1)
    const reading = readAnswer(question, 3)
    const isNumber = type !== 'open_text' && reading !== null && 'value' in reading
    expect(
      bars.some(({ value }) => typeof value === 'number'),
      id,
    ).toBe(isNumber)
  }
})
