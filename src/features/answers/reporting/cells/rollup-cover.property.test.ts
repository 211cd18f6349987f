import fc from 'fast-check'
import { expect, test } from 'vitest'
import { coverBetween, daysAround, type Span } from './rollup-cover.ts'
import { propertyRuns } from '../../../../testing/property-runs.ts'

const MINUTE = 60_000
const QUARTER = 15 * MINUTE
const DAY = 96 * QUARTER
const at = (text: string) => new Date(text)
const span = (since: string, until: string): Span => ({ since: at(since), until: at(until) })

test('whole days come from days, their edges from quarters, and the rest is read live', () => {
  expect(
    coverBetween([at('2026-03-01T18:31:00Z'), at('2026-03-04T18:30:00Z')], {
      until: at('2026-03-04T10:00:00Z'),
      stale: [],
    }),
  ).toEqual({
    stale: [],
    days: [span('2026-03-02T00:00:00Z', '2026-03-04T00:00:00Z')],
    quarters: [
      span('2026-03-01T18:45:00Z', '2026-03-02T00:00:00Z'),
      span('2026-03-04T00:00:00Z', '2026-03-04T10:00:00Z'),
    ],
    live: [span('2026-03-01T18:31:00Z', '2026-03-01T18:45:00Z'), span('2026-03-04T10:00:00Z', '2026-03-04T18:30:00Z')],
  })
})

test('a stale quarter is taken off its day again, and read live', () => {
  const rolled = { until: at('2026-04-01T00:00:00Z'), stale: [at('2026-03-02T12:00:00Z'), at('2026-03-02T12:15:00Z')] }
  expect(coverBetween([at('2026-03-01T00:00:00Z'), at('2026-03-04T00:00:00Z')], rolled)).toEqual({
    days: [span('2026-03-01T00:00:00Z', '2026-03-04T00:00:00Z')],
    quarters: [],
    stale: [span('2026-03-02T12:00:00Z', '2026-03-02T12:30:00Z')],
    live: [span('2026-03-02T12:00:00Z', '2026-03-02T12:30:00Z')],
  })
})

test('every moment is counted once, by no rollup that is stale, unfinished, or reaches over a cut', () => {
  const moment = fc.integer({ min: 0, max: 6 * 24 * 60 }).map((minutes) => new Date(minutes * MINUTE))
  const aligned = fc.integer({ min: 0, max: 6 * 96 }).map((quarters) => new Date(quarters * QUARTER))
  const inOrder = (dates: Date[]) => [...dates].sort((a, b) => a.getTime() - b.getTime())
  fc.assert(
    fc.property(
      fc.array(fc.oneof(moment, aligned), { minLength: 2, maxLength: 6 }).map(inOrder),
      aligned,
      fc.uniqueArray(aligned, { maxLength: 8, selector: (date) => date.getTime() }).map(inOrder),
      (cuts, until, stale) => {
        const cover = coverBetween(cuts, { until, stale })
        const added = [...split(cover.days, DAY), ...split(cover.quarters, QUARTER)]
        const removed = split(cover.stale, QUARTER)
        for (const rollup of added) {
          expect(rollup.until <= until).toBe(true)
          expect(cuts.filter((cut) => cut > rollup.since && cut < rollup.until)).toEqual([])
        }
        const [first, last] = [cuts[0]?.getTime() ?? 0, cuts.at(-1)?.getTime() ?? 0]
        for (let minute = first - DAY; minute < last + DAY; minute += MINUTE) {
          const times = (spans: Span[]) =>
            spans.filter(({ since, until: end }) => since.getTime() <= minute && minute < end.getTime()).length
          const rolled = times(added) - times(removed)
          expect(rolled + times(cover.live)).toBe(minute >= first && minute < last ? 1 : 0)
          if (stale.some((quarter) => quarter.getTime() <= minute && minute < quarter.getTime() + QUARTER))
            expect(rolled).toBe(0)
        }
      },
    ),
    propertyRuns(20_261_125, 30),
  )
})

test('the days around quarters are named once each, as far as they are over', () => {
  const quarters = [
    span('2026-03-01T05:00:00Z', '2026-03-01T05:15:00Z'),
    span('2026-03-01T23:45:00Z', '2026-03-02T00:15:00Z'),
    span('2026-03-05T10:00:00Z', '2026-03-05T10:15:00Z'),
  ]
  expect(daysAround(quarters, at('2026-03-05T12:00:00Z'))).toEqual([
    span('2026-03-01T00:00:00Z', '2026-03-03T00:00:00Z'),
  ])
})

// Whole steps, aligned to them.
function split(spans: Span[], step: number): Span[] {
  return spans.flatMap(({ since, until }) => {
    expect([since.getTime() % step, until.getTime() % step]).toEqual([0, 0])
    return Array.from({ length: (until.getTime() - since.getTime()) / step }, (_, i) => ({
      since: new Date(since.getTime() + i * step),
      until: new Date(since.getTime() + (i + 1) * step),
    }))
  })
}
