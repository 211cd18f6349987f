import { describe, expect, test } from 'vitest'
import { ces, csat, nps } from './metrics.ts'

describe('nps', () => {
  test('32 promoters, 13 passives and 6 detractors are 50.98', () => {
    // Variance 38/51 − (26/51)² = 0.48520; 1.96 × √(0.48520 / 51) = 19.117 points.
    expect(nps({ 10: 20, 9: 12, 8: 10, 7: 3, 6: 4, 0: 2 })).toEqual({
      score: 50.98,
      promoters: 32,
      passives: 13,
      detractors: 6,
      n: 51,
      margin_of_error: 19.12,
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
    const metric = nps(counts)
    expect(metric).toMatchObject({ score, margin_of_error })
    expect(Object.is(metric.score, -0)).toBe(false)
  })

  test('without responses has no score', () => {
    expect(nps({ 11: 3, [-1]: 4 })).toEqual({
      score: null,
      promoters: 0,
      passives: 0,
      detractors: 0,
      n: 0,
      margin_of_error: null,
    })
  })
})

describe('csat and ces', () => {
  test('csat is the share of 4 and 5', () => {
    expect(csat({ 5: 1, 4: 1, 3: 1 })).toEqual({ score: 66.67, mean: 4, n: 3 })
    expect(csat({ 1: 2, 2: 1 })).toEqual({ score: 0, mean: 1.33, n: 3 })
    expect(csat({ 6: 9, 0: 9 })).toEqual({ score: null, mean: null, n: 0 })
  })

  test('ces is the share of 5 to 7', () => {
    expect(ces({ 7: 1, 5: 1, 4: 1 })).toEqual({ score: 66.67, mean: 5.33, n: 3 })
    expect(ces({ 1: 1, 6: 1 })).toEqual({ score: 50, mean: 3.5, n: 2 })
    expect(ces({ 8: 1 })).toEqual({ score: null, mean: null, n: 0 })
  })
})
