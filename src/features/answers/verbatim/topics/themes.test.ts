import { expect, test } from 'vitest'
import type { Id } from '../../../../platform/ids.ts'
import type { ThemeRow } from '../verbatim-rows.ts'
import { themesOf } from './themes.ts'

const topic = 't' as Id<'topic'>

/** All texts, and those about a topic, each with its score. */
function rows(about: number[], others: number[]): ThemeRow[] {
  const row = (topic_id: Id<'topic'> | null, scores: number[]): ThemeRow => ({
    topic_id,
    metric: 'nps',
    at: new Date(0),
    n: scores.length,
    sentiment_sum: 0,
    scored: scores.length,
    score_sum: scores.reduce((sum, score) => sum + score, 0),
    score_squares: scores.reduce((sum, score) => sum + score ** 2, 0),
  })
  return [row(null, [...about, ...others]), row(topic, about)]
}

const times = (n: number, scores: number[]) => Array.from({ length: n }, () => scores).flat()

test('the effect of a topic has an interval from 30 texts on each side', async () => {
  const [few] = await themesOf(rows(times(29, [4]), times(40, [8])), [])
  expect(few).toMatchObject({ scoreImpact: -4, scoreImpactInterval: null })
  // Variances of 4 × 30 / 29 and 1 × 40 / 39: 1.96 × √(4.1379 / 30 + 1.0256 / 40) = 0.79.
  const [enough] = await themesOf(rows(times(15, [2, 6]), times(20, [7, 9])), [])
  expect(enough).toMatchObject({ scoreImpact: -4, scoreImpactInterval: { low: -4.79, high: -3.21, level: 95 } })
})

test('the effect of a topic whose scores are all alike is certain', async () => {
  const [theme] = await themesOf(rows(times(30, [3]), times(30, [3])), [])
  expect(theme).toMatchObject({ scoreImpact: 0, scoreImpactInterval: { low: 0, high: 0 } })
})

test('many days of many topics give way to other requests, and each has its count', async () => {
  const all: ThemeRow[] = []
  for (let day = 0; day < 400; day += 1)
    for (const topic_id of [null, ...Array.from({ length: 50 }, (_, n) => `t${n}` as Id<'topic'>)]) {
      const [row] = rows([day % 10], [])
      all.push({ ...(row as ThemeRow), topic_id, at: new Date(day * 86_400_000), n: day + 1 })
    }
  let turns = 0
  let next = setImmediate(function count() {
    turns += 1
    next = setImmediate(count)
  })
  const themes = await themesOf(all, all)
  clearImmediate(next)
  expect(turns).toBeGreaterThan(1)
  expect(themes).toHaveLength(50)
  expect(themes[0]?.trend).toHaveLength(400)
  expect(themes[0]?.trend.at(-1)).toEqual({ at: new Date(399 * 86_400_000).toISOString(), n: 400 })
  expect(themes[0]).toMatchObject({ change: 0, share: 100 })
})
