import fc from 'fast-check'
import { expect, test } from 'vitest'
import { propertyRuns } from '../../../src/testing/property-runs.ts'
import type { Scored } from './figures.ts'
import { partOf } from './movers.ts'

/** Promoters, passives and detractors of a group. */
const bands = fc.tuple(fc.nat(60), fc.nat(60), fc.nat(60))
const group = fc.record({ now: bands, before: bands })

const scored = ([up, even, down]: readonly [number, number, number]): Scored => {
  const n = up + even + down
  return { n, score: n === 0 ? null : (100 * (up - down)) / n, interval: null }
}
const sum = (all: Array<readonly [number, number, number]>): [number, number, number] =>
  all.reduce<[number, number, number]>(([a, b, c], [d, e, f]) => [a + d, b + e, c + f], [0, 0, 0])

test('the parts of groups that divide all answers add up to the change of the whole', () => {
  fc.assert(
    fc.property(fc.array(group, { minLength: 1, maxLength: 8 }), (groups) => {
      const whole = {
        now: scored(sum(groups.map(({ now }) => now))),
        before: scored(sum(groups.map(({ before }) => before))),
      }
      fc.pre(whole.now.n > 0 && whole.before.n > 0)
      const parts = groups.map(({ now, before }) => partOf('nps', { now: scored(now), before: scored(before) }, whole))
      const total = (of: 'amount' | 'beyond') => parts.reduce((all, part) => all + (part?.[of] ?? Number.NaN), 0)
      expect(total('amount')).toBeCloseTo((whole.now.score ?? 0) - (whole.before.score ?? 0), 6)
      expect(total('beyond')).toBeCloseTo(0, 6)
    }),
    propertyRuns(20_261, 400, 200),
  )
})

test('a comparison in the other direction turns each part round', () => {
  fc.assert(
    fc.property(group, group, (own, others) => {
      const both = (side: 'now' | 'before') => scored(sum([own[side], others[side]]))
      const [now, before] = [both('now'), both('before')]
      fc.pre(now.n > 0 && before.n > 0)
      const part = partOf('nps', { now: scored(own.now), before: scored(own.before) }, { now, before })
      const turned = partOf('nps', { now: scored(own.before), before: scored(own.now) }, { now: before, before: now })
      expect(turned?.amount).toBeCloseTo(-(part?.amount ?? Number.NaN), 6)
      expect(turned?.beyond).toBeCloseTo(-(part?.beyond ?? Number.NaN), 6)
    }),
    propertyRuns(20_262, 400, 200),
  )
})
