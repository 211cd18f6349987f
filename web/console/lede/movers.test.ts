import { expect, test } from 'vitest'
import { changeBetween, figureOf, type Figure } from '../../../src/survey-engine/metrics/metrics.ts'
import type { Change, Scored } from './figures.ts'
import { inOrder, largestOf, partOf, type Pair } from './movers.ts'

const NONE: Scored = { n: 0, score: null, interval: null }
const of = (n: number, score: number): Scored => ({ n, score, interval: null })
const rounded = (number: number | undefined) => Math.round((number ?? Number.NaN) * 100) / 100 + 0

test.each([
  // The group, and the whole, each now and before.
  ['the same in all groups', [of(50, 0), of(50, 20)], [of(100, 0), of(100, 20)], -10, 0],
  ['all answers', [of(100, 0), of(80, 20)], [of(100, 0), of(80, 20)], -20, 0],
  ['only this group fell', [of(50, -20), of(50, 20)], [of(100, 0), of(100, 20)], -20, -10],
  ['only the others fell', [of(50, 20), of(50, 20)], [of(100, 0), of(100, 20)], 0, 10],
  ['a low group that grew', [of(30, -40), of(10, -40)], [of(100, 5), of(100, 20)], -10.5, -7.5],
  ['a group that grew, with the score of all', [of(60, 10), of(20, 10)], [of(100, 10), of(100, 10)], 0, 0],
  ['a new group', [of(40, -50), NONE], [of(100, 10), of(100, 50)], -32, -24],
  ['a group that had too few answers', [of(40, -50), { ...NONE, n: 4 }], [of(100, 10), of(100, 50)], -32.8, -24],
] as const)('%s: its part of the change', (_, [now, before], [wholeNow, wholeBefore], amount, beyond) => {
  const part = partOf('nps', { now, before }, { now: wholeNow, before: wholeBefore })
  expect([rounded(part?.amount), rounded(part?.beyond)]).toEqual([amount, beyond])
})

test('without a score of the whole there is no part', () => {
  expect(partOf('nps', { now: of(9, 1), before: of(9, 1) }, { now: of(9, 1), before: NONE })).toBeNull()
})

const figure = (counts: Record<number, number>): Figure =>
  figureOf('nps', new Map(Object.entries(counts).map(([score, n]) => [Number(score), n])))
const pair = (now: Figure, before: Figure): Pair => ({
  now,
  before,
  change: changeBetween(
    { value: now.score, interval: now.interval },
    { value: before.score, interval: before.interval },
  ),
})
const row = (name: string, group: Pair, whole: Pair) => {
  const part = partOf('nps', group, whole)
  if (!part) throw new Error('no part')
  return { name, part }
}
const whole = pair(figure({ 10: 120, 0: 80 }), figure({ 10: 150, 0: 50 }))
const delivery = pair(figure({ 10: 2, 0: 40 }), figure({ 10: 6, 0: 14 }))
const price = pair(figure({ 10: 118, 0: 40 }), figure({ 10: 144, 0: 36 }))
const everybody = row('everybody', whole, whole)

test('the group that explains most beyond its size comes first, and is named', () => {
  const rows = [everybody, row('price', price, whole), row('delivery', delivery, whole)]
  expect(inOrder(rows, whole.change).map(({ name }) => name)).toEqual(['delivery', 'everybody', 'price'])
  expect(largestOf(rows, whole.change)).toMatchObject({ row: { name: 'delivery' }, isMost: true })
})

test('a group of everybody, a change within chance and a handful of answers explain nothing', () => {
  expect(largestOf([everybody], whole.change)).toBeNull()
  const alike: Change = { value: -2, low: -5, high: 1 }
  expect(largestOf([row('delivery', delivery, whole)], alike)).toBeNull()
  const handful = pair(figure({ 0: 5, 10: 1 }), figure({ 10: 5, 0: 1 }))
  expect(largestOf([row('handful', handful, whole)], whole.change)).toBeNull()
})

test('the more groups are compared, the more one must stand out', () => {
  const fallen = pair(figure({ 10: 35, 0: 30 }), figure({ 10: 48, 0: 12 }))
  const speed = row('speed', pair(figure({ 10: 10, 0: 25 }), figure({ 10: 22, 0: 8 })), fallen)
  const others = (many: number) => Array.from({ length: many }, () => row('others', fallen, fallen))
  expect(largestOf([speed, ...others(9)], fallen.change)).toMatchObject({ row: { name: 'speed' }, isMost: true })
  expect(largestOf([speed, ...others(60)], fallen.change)).toBeNull()
})

test('a part below half of the change is not most of it', () => {
  const fallen = pair(figure({ 10: 100, 0: 100 }), figure({ 10: 160, 0: 40 }))
  const some = pair(figure({ 10: 4, 0: 28 }), figure({ 10: 26, 0: 4 }))
  expect(largestOf([row('some', some, fallen)], fallen.change)).toMatchObject({ row: { name: 'some' }, isMost: false })
})
