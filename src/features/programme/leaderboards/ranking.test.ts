import { expect, test } from 'vitest'
import { ranked } from './ranking.ts'

const agent = (row: string, score: number | null, margin: number | null, n = 400) => ({
  row,
  figure: {
    n,
    score,
    mean: null,
    interval:
      score === null || margin === null
        ? null
        : { low: score - margin, high: score + margin, level: 95 as const, method: 'wilson' as const },
  },
})
const places = (...agents: Array<ReturnType<typeof agent>>) =>
  ranked(agents).map(({ row, position, isTiedWithNext }) => [row, position, isTiedWithNext])

test('a position is shared with its first agent, so ties do not chain from neighbour to neighbour', () => {
  expect(places(agent('D', 57, 4), agent('A', 74, 4), agent('C', 63, 4), agent('B', 68, 4))).toEqual([
    ['A', 1, true],
    ['B', 1, true],
    ['C', 3, true],
    ['D', 3, false],
  ])
})

test('too few answers for an interval tie, and answers that are all alike stand for themselves', () => {
  expect(places(agent('sure', 100, null), agent('few', 80, null, 4), agent('low', 20, 5))).toEqual([
    ['sure', 1, true],
    ['few', 1, true],
    ['low', 3, false],
  ])
})
