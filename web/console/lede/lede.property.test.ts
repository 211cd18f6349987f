import fc from 'fast-check'
import { expect, test } from 'vitest'
import { changeBetween, figureOf, type Figure } from '../../../src/survey-engine/metrics/metrics.ts'
import { propertyRuns } from '../../../src/testing/property-runs.ts'
import { rounded, type Compared, type Lede, type Metric, type Scored } from './figures.ts'
import { homeLede, type HomeData } from './home.ts'
import { resultsLede, type ResultsData } from './results.ts'

const CLEAR = /:(?:fell|rose|lower|higher|homeFell|homeRose|causeFall|causeRise)$/

const metric = fc.constantFrom<Metric>('nps', 'csat', 'ces')
/** How often each score was given. Sizes from nobody to many. */
const counts = fc.tuple(fc.array(fc.nat(60), { minLength: 11, maxLength: 11 }), fc.constantFrom(0, 1, 1, 40, 900))
const figure = (of: Metric, [times, by]: [number[], number]): Figure =>
  figureOf(of, new Map(times.map((n, score) => [score, n * by])))
const scored = ({ n, score, interval }: Figure): Scored => ({ n, score, interval })
const compared = (now: Figure, other: Figure): Compared => ({
  ...scored(other),
  change: changeBetween({ value: now.score, interval: now.interval }, { value: other.score, interval: other.interval }),
})
const topic = fc.record({
  name: fc.string(),
  impact: fc.option(fc.double({ min: -10, max: 10, noNaN: true })),
  interval: fc.option(
    fc
      .tuple(fc.double({ min: -10, max: 10, noNaN: true }), fc.double({ min: 0, max: 9, noNaN: true }))
      .map(([low, wide]) => ({ low, high: low + wide })),
  ),
})

const results = fc
  .record({
    metric,
    now: counts,
    before: counts,
    beside: fc.option(counts),
    isFiltered: fc.boolean(),
    extra: fc.nat(90),
  })
  .chain(({ metric: of, now, before, beside, isFiltered, extra }) => {
    const own = figure(of, now)
    return fc.record({
      metric: fc.option(fc.constant(of)),
      isFiltered: fc.constant(isFiltered),
      began: fc.constant(own.n + extra),
      completed: fc.constant(own.n),
      now: fc.constant(scored(own)),
      before: fc.constant(compared(own, figure(of, before))),
      beside: fc.constant(beside && { ...compared(own, figure(of, beside)), group: 'plan is free' }),
      stopped: fc.array(fc.record({ question: fc.string(), n: fc.nat(40) }), { maxLength: 5 }),
      topics: fc.array(topic, { maxLength: 4 }),
    })
  })

const both = fc.record({ now: fc.nat(400), before: fc.nat(400) })
const home = fc
  .record({ metric, now: counts, before: counts, isOne: fc.boolean() })
  .chain(({ metric: of, now, before, isOne }) => {
    const own = figure(of, now)
    return fc.record({
      hasSurvey: fc.boolean(),
      began: fc.constant(own.n),
      metric: fc.constant(of),
      survey: fc.constant(isOne ? 'Support' : null),
      now: fc.constant(scored(own)),
      before: fc.constant(compared(own, figure(of, before))),
      bad: both,
      good: both,
      topics: fc.array(fc.record({ name: fc.string(), bad: both, good: both }), { maxLength: 4 }),
      commonest: fc.option(fc.record({ name: fc.string(), share: fc.double({ min: 0, max: 100, noNaN: true }) })),
    })
  })

/** Every number in some data, at any depth. */
function numbersIn(data: unknown): number[] {
  if (typeof data === 'number') return [data]
  return data !== null && typeof data === 'object' ? Object.values(data).flatMap(numbersIn) : []
}

/** Numbers that no data holds: a sentence may show one, the difference of two, or a share of two counts. */
function strangers({ lede, sub }: Lede, data: object): number[] {
  const known = numbersIn(data)
  const said = [...lede, ...sub].flatMap(({ values }) => Object.values(values))
  return said.flatMap((value) => {
    if ('text' in value) return []
    const { number, digits, as } = value
    const slack = 1.001 * 10 ** -digits
    const isKnown =
      known.some((each) => rounded(each, digits) === number || rounded(Math.abs(each), digits) === number) ||
      known.some((a) => known.some((b) => Math.abs(Math.abs(a - b) - number) <= slack)) ||
      (as === 'percent' && known.some((a) => known.some((b) => b > 0 && rounded((100 * a) / b, 0) === number)))
    return isKnown ? [] : [number]
  })
}

function requireSound(told: Lede, data: { before: Compared; beside?: Compared | null }): void {
  expect(strangers(told, data)).toEqual([])
  expect(told.lede.length).toBeGreaterThanOrEqual(1)
  expect(told.lede.length).toBeLessThanOrEqual(2)
  for (const { key } of [...told.lede, ...told.sub]) {
    if (!CLEAR.test(key)) continue
    const { change } = data.beside ?? data.before
    expect(change !== null && (change.low > 0 || change.high < 0), key).toBe(true)
    expect(change?.value).not.toBe(0)
  }
  // No difference that a sentence calls clear is shown as zero.
  for (const { key, values } of told.lede)
    if (CLEAR.test(key))
      for (const value of Object.values(values))
        if ('number' in value && key.match(/fell|rose|lower|higher/)) expect(Math.abs(value.number)).toBeGreaterThan(0)
}

test('each number in a sentence of results is in the data, and chance is never denied without proof', async () => {
  await fc.assert(
    fc.property(results, (data) => requireSound(resultsLede(data satisfies ResultsData), data)),
    propertyRuns(42_001, 500),
  )
})

test('the same of home', async () => {
  await fc.assert(
    fc.property(home, (data) => requireSound(homeLede(data satisfies HomeData), data)),
    propertyRuns(42_002, 500),
  )
})
