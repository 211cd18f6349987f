import { describe, expect, test } from 'vitest'
import type { Metric } from '../model/definition.ts'
import { scoreOf } from './score.ts'
import { surveyWith } from '../survey.fixture.ts'

describe('the band of a score', () => {
  test.each<[Metric, Record<string, number[]>]>([
    ['nps', { detractor: [0, 1, 2, 3, 4, 5, 6], passive: [7, 8], promoter: [9, 10] }],
    ['csat', { dissatisfied: [1, 2], neutral: [3], satisfied: [4, 5] }],
    ['ces', { difficult: [1, 2, 3], neutral: [4], easy: [5, 6, 7] }],
  ])('%s', (metric, bands) => {
    const definition = surveyWith([{ id: 'q', type: metric, title: 'T' }], { metric })
    for (const [band, values] of Object.entries(bands)) {
      for (const value of values) expect(scoreOf(definition, { q: value })).toEqual({ metric, value, band })
    }
  })
})

describe('the score of a response', () => {
  const definition = surveyWith(
    [
      { id: 'first', type: 'csat', title: 'T' },
      { id: 'skipped', type: 'nps', title: 'T' },
      { id: 'counted', type: 'nps', title: 'T' },
    ],
    { metric: 'nps' },
  )

  test('comes from the first answered question of the metric', () => {
    expect(scoreOf(definition, { first: 5, counted: 3 })?.value).toBe(3)
    expect(scoreOf(definition, { skipped: 8, counted: 3 })?.value).toBe(8)
  })

  test('is null without such an answer, or without a metric', () => {
    expect(scoreOf(definition, { first: 5 })).toBeNull()
    expect(scoreOf({ ...definition, metric: null }, { counted: 3 })).toBeNull()
  })
})
