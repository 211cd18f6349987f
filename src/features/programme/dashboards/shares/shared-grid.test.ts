import { expect, test } from 'vitest'
import { COLUMNS, contentWidth, spansOf } from './shared-grid.ts'

test.each([
  [
    [4, 4, 4, 8, 4],
    [4, 4, 4, 8, 4],
  ],
  [
    [4, 8],
    [4, 8],
  ],
  [[4], [12]],
  [
    [4, 4],
    [6, 6],
  ],
  [
    [5, 5, 5],
    [6, 6, 12],
  ],
  [
    [3, 3, 3],
    [4, 4, 4],
  ],
  [
    [1, 1, 1, 1, 1],
    [3, 3, 3, 3, 12],
  ],
  [
    [48, 2, 7],
    [12, 3, 9],
  ],
  [[], []],
])('widgets as wide as %j span %j of twelve columns', (widths, spans) => {
  expect(spansOf(widths)).toEqual(spans)
})

test('rows are full, and a wider card has more room', () => {
  for (let one = 1; one <= COLUMNS; one++)
    for (let other = 1; other <= COLUMNS; other++)
      expect(spansOf([one, other]).reduce((total, span) => total + span, 0) % COLUMNS).toBe(0)
  expect([3, 4, 8, 12].map(contentWidth)).toEqual([232, 331, 725, 1120])
})
