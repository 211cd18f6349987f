import { mean, sampleStandardDeviation, standardDeviation } from 'simple-statistics'
import { describe, expect, test } from 'vitest'
import { bandsOf, countsOf, figureOf, npsOf, quantileOfT } from './metrics.ts'

const given = (counts: Record<number, number>) =>
  new Map(Object.entries(counts).map(([score, n]) => [Number(score), n]))
const figure = (metric: 'nps' | 'csat' | 'ces', counts: Record<number, number>) => figureOf(metric, given(counts))

describe('nps', () => {
  test('32 promoters, 13 passives and 6 detractors are 50.98', () => {
    // Variance 38/51 − (26/51)² = 0.48520; 1.96 × √(0.48520 / 51) = 19.117 points.
    expect(npsOf(given({ 10: 20, 9: 12, 8: 10, 7: 3, 6: 4, 0: 2 }))).toEqual({
      score: 50.98,
      promoters: 32,
      passives: 13,
      detractors: 6,
      n: 51,
      margin_of_error: 19.12,
      interval: { low: 31.86, high: 70.1, level: 95, method: 'normal' },
    })
  })

  test.each([
    [{ 10: 50 }, 100, null],
    [{ 9: 2, 10: 3 }, 100, null],
    [{ 0: 5 }, -100, null],
    [{ 7: 5 }, 0, null],
    [{ 10: 2, 0: 2 }, 0, null],
    [{ 10: 1, 7: 3 }, 25, null],
    [{ 10: 3, 0: 3 }, 0, 80.02],
    [{ 10: 2, 7: 4 }, 33.33, 37.72],
    [{ 6: 2, 7: 4 }, -33.33, 37.72],
  ])('%j scores %d with a margin of %d', (counts, score, margin_of_error) => {
    const metric = npsOf(given(counts))
    expect(metric).toMatchObject({ score, margin_of_error })
    expect(metric.interval === null).toBe(margin_of_error === null)
    expect(Object.is(metric.score, -0)).toBe(false)
  })

  test('without responses has no score', () => {
    expect(npsOf(given({ 11: 3, [-1]: 4 }))).toEqual({
      score: null,
      promoters: 0,
      passives: 0,
      detractors: 0,
      n: 0,
      margin_of_error: null,
      interval: null,
    })
  })
})

describe('csat and ces', () => {
  test('csat is the share of 4 and 5, with the mean beside it', () => {
    expect(figure('csat', { 5: 1, 4: 1, 3: 1 })).toEqual({ score: 66.67, mean: 4, n: 3, interval: null })
    expect(figure('csat', { 1: 2, 2: 1 })).toEqual({ score: 0, mean: 1.33, n: 3, interval: null })
  })

  test('ces is the share of 5 to 7, with the mean beside it', () => {
    expect(figure('ces', { 7: 1, 5: 1, 4: 1 })).toEqual({ score: 66.67, mean: 5.33, n: 3, interval: null })
    expect(figure('ces', { 1: 1, 6: 1 })).toEqual({ score: 50, mean: 3.5, n: 2, interval: null })
    expect(figure('ces', { 8: 1 })).toEqual({ score: null, mean: null, n: 0, interval: null })
  })
})

test('intervals by hand: NPS, CSAT by Wilson, CES by t', () => {
  // 60 promoters, 20 passives, 20 detractors: 40 ± 1.96 × √((0.8 − 0.16) / 100) × 100.
  expect(figure('nps', { 10: 60, 7: 20, 3: 20 }).interval).toEqual({
    low: 24.32,
    high: 55.68,
    level: 95,
    method: 'normal',
  })
  // Newcombe (1998): 81 of 263 is 0.2553 to 0.3662.
  expect(figure('csat', { 5: 81, 2: 182 }).interval).toEqual({ low: 25.53, high: 36.62, level: 95, method: 'wilson' })
  // 6 of 10: s² = 0.6 × 0.4 × 10 / 9, t(9) = 2.26216: 60 ± 36.94.
  expect(figure('ces', { 6: 6, 2: 4 }).interval).toEqual({ low: 23.06, high: 96.94, level: 95, method: 't' })
  expect(figure('ces', { 6: 9, 2: 1 }).interval).toMatchObject({ high: 100 })
})

test('fewer than five answers, and answers of one side, have no interval', () => {
  for (const metric of ['nps', 'csat', 'ces'] as const) {
    expect(figure(metric, { 5: 2, 1: 2 }).interval, metric).toBeNull()
    expect(figure(metric, { 1: 10 }).interval, metric).toBeNull()
    expect(figure(metric, { 5: 9, 1: 1 }).interval, metric).toEqual(metric === 'nps' ? null : expect.any(Object))
  }
  expect(figure('csat', { 4: 5, 5: 5 }).interval).toBeNull()
})

test('an independent library agrees', () => {
  for (let seed = 1; seed <= 50; seed++) {
    const random = (of: number) => (seed * 7919 + of * 104_729) % 97
    const times = (counts: Record<number, number>) =>
      [...given(counts)].flatMap(([score, n]) => Array<number>(n).fill(score))
    const counts = { 10: random(1) + 1, 8: random(2), 0: random(3) + 5 }
    const spread = times(counts).map((score) => (score >= 9 ? 100 : score >= 7 ? 0 : -100))
    const nps = figure('nps', counts)
    expect(nps.score).toBeCloseTo(mean(spread), 1)
    const margin = (1.96 * standardDeviation(spread)) / Math.sqrt(spread.length)
    expect(nps.interval?.low).toBeCloseTo(Math.max(-100, mean(spread) - margin), 1)
    const efforts = { 7: random(4) + 5, 4: random(5) + 1, 1: random(6) }
    const top = times(efforts).map((score) => (score >= 5 ? 100 : 0))
    const ces = figure('ces', efforts)
    expect([ces.score, ces.mean]).toEqual([expect.closeTo(mean(top), 1), expect.closeTo(mean(times(efforts)), 1)])
    const half = (quantileOfT(top.length - 1) * sampleStandardDeviation(top)) / Math.sqrt(top.length)
    expect(ces.interval?.low).toBeCloseTo(Math.max(0, mean(top) - half), 1)
  }
})

test('rows of one score add up, and bands name every side', () => {
  const counts = countsOf([
    { score: 9, n: 2 },
    { score: 9, n: 3 },
    { score: 12, n: 1 },
  ])
  expect(counts.get(9)).toBe(5)
  expect(bandsOf('nps', counts)).toEqual({ promoter: 5, passive: 0, detractor: 0 })
})

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
