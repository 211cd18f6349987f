import { expect, test } from 'vitest'
import { contentSize } from './grid.ts'

test('a chart has the room inside its card', () => {
  const sizes = [
    [3, 3],
    [8, 4],
    [12, 5],
  ].map(([w = 0, h = 0]) => contentSize({ w, h }))
  expect(sizes.map(({ width }) => width)).toEqual([232, 725, 1120])
  expect(sizes.map(({ height }) => height)).toEqual([133, 205, 277])
})
