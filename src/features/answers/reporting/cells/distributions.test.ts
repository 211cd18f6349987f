import { expect, test } from 'vitest'
import { readAnswer } from '../../../../survey-engine/logic/evaluation.ts'
import { EVERY_TYPE } from '../../../../survey-engine/survey.fixture.ts'
import { distributionOf } from './distributions.ts'

const monthOf = (n: number) => `${1_000 + Math.floor(n / 12)}-${String((n % 12) + 1).padStart(2, '0')}`

test('of very many dates the 200 most frequent are shown, in their order', () => {
  const rows = Array.from({ length: 5_000 }, (_, n) => ({
    question: 'd',
    type: 'date',
    part: null,
    value: monthOf(n),
    n: n % 25 === 0 ? 2 : 1,
  }))
  const bars = distributionOf(undefined, rows, 5_200)
  expect(bars).toHaveLength(200)
  expect(bars.every(({ count, share }) => count === 2 && share === 0.04)).toBe(true)
  expect(bars.map(({ value }) => value)).toEqual(rows.flatMap(({ value, n }) => (n === 2 ? [value] : [])))
})

test('of every type, the lines of a report are numbers where the answer is a number that is no text', () => {
  for (const question of EVERY_TYPE) {
    const { id, type } = question
    const bars = distributionOf(question, [{ question: id, type, part: null, value: '3', n: 1 }], 1)
    const reading = readAnswer(question, 3)
    const isNumber = type !== 'open_text' && reading !== null && 'value' in reading
    expect(
      bars.some(({ value }) => typeof value === 'number'),
      id,
    ).toBe(isNumber)
  }
})
