import { expect, test } from 'vitest'
import { lastWeeks } from './period.ts'

const monday = (day: string, n: number) => ({ at: `2026-${day}T00:00:00.000Z`, n })

test('the last weeks end with the one before a moment, and a week without a count has none', () => {
  const trend = [monday('02-09', 2), monday('02-23', 5), monday('03-02', 30)]
  expect(lastWeeks(trend, '2026-03-03T00:00:00Z', 4)).toEqual([2, 0, 5, 30])
  expect(lastWeeks(trend, '2026-03-02T00:00:00Z', 4)).toEqual([0, 2, 0, 5])
  expect(lastWeeks([], '2026-03-02T00:00:00Z', 2)).toEqual([0, 0])
})
