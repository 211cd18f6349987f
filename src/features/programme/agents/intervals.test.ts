import { mean, sampleStandardDeviation, standardDeviation } from 'simple-statistics'
import { expect, test } from 'vitest'
import { figureOf, quantileOfT } from './intervals.ts'

const countsOf = (scores: number[]) =>
  new Map([...Map.groupBy(scores, (score) => score)].map(([k, v]) => [k, v.length]))
const times = (pairs: Array<[number, number]>) => pairs.flatMap(([score, n]) => Array<number>(n).fill(score))

test('the quantile of t is that of the printed tables', () => {
  const printed: Array<[number, number]> = [
    [1, 12.7062],
    [2, 4.3027],
    [3, 3.1824],
    [4, 2.7764],
    [5, 2.5706],
    [7, 2.3646],
    [9, 2.2622],
    [10, 2.2281],
    [20, 2.086],
    [30, 2.0423],
    [60, 2.0003],
    [100, 1.984],
    [1000, 1.9623],
  ]
  for (const [degrees, quantile] of printed) expect(quantileOfT(degrees), `${degrees}`).toBeCloseTo(quantile, 3)
})

test('tables by hand: NPS, CSAT by Wilson, CES by t', () => {
  // 60 promoters, 20 passives, 20 detractors: 40 ± 1.96 × √((0.8 − 0.16) / 100) × 100.
  expect(
    figureOf(
      'nps',
      new Map([
        [10, 60],
        [7, 20],
        [3, 20],
      ]),
    ),
  ).toEqual({
    n: 100,
    score: 40,
    interval: { low: 24.32, high: 55.68, level: 95, method: 'normal' },
  })
  // Newcombe (1998): 81 of 263 is 0.2553 to 0.3662.
  expect(
    figureOf(
      'csat',
      new Map([
        [5, 81],
        [2, 182],
      ]),
    ).interval,
  ).toMatchObject({ low: 25.53, high: 36.62 })
  expect(figureOf('csat', new Map([[1, 10]])).interval).toMatchObject({ low: 0, high: 27.75, method: 'wilson' })
  // 4, 5, 6, 7: mean 5.5, s = 1.29099, t(3) = 3.18245: ± 2.0543, cut at 7.
  expect(
    figureOf(
      'ces',
      new Map([
        [4, 1],
        [5, 1],
        [6, 1],
        [7, 1],
      ]),
    ),
  ).toEqual({
    n: 4,
    score: 5.5,
    interval: { low: 3.45, high: 7, level: 95, method: 't' },
  })
})

test('an independent library agrees', () => {
  for (let seed = 1; seed <= 50; seed++) {
    const random = (of: number) => (seed * 7919 + of * 104_729) % 97
    const nps = times([
      [10, random(1) + 1],
      [8, random(2)],
      [0, random(3)],
    ])
    const spread = nps.map((score) => (score >= 9 ? 100 : score >= 7 ? 0 : -100))
    const figure = figureOf('nps', countsOf(nps))
    expect(figure.score).toBeCloseTo(mean(spread), 1)
    const margin = (1.96 * standardDeviation(spread)) / Math.sqrt(spread.length)
    expect(figure.interval?.low).toBeCloseTo(Math.max(-100, mean(spread) - margin), 1)
    const ces = times([
      [7, random(4) + 1],
      [4, random(5) + 1],
      [1, random(6)],
    ])
    const effort = figureOf('ces', countsOf(ces))
    const t = quantileOfT(ces.length - 1)
    expect(effort.score).toBeCloseTo(mean(ces), 1)
    expect(effort.interval?.low).toBeCloseTo(mean(ces) - (t * sampleStandardDeviation(ces)) / Math.sqrt(ces.length), 1)
  }
})

test('no answers have no score, and one answer of CES has no interval', () => {
  for (const metric of ['nps', 'csat', 'ces'] as const)
    expect(figureOf(metric, new Map())).toEqual({ n: 0, score: null, interval: null })
  expect(figureOf('ces', new Map([[6, 1]]))).toEqual({ n: 1, score: 6, interval: null })
})
