import { expect, test } from 'vitest'
import type { WidgetView } from '../widget-view.ts'
import { GAUGE, gaugeOf } from './gauge.ts'

const widget = (more: Partial<WidgetView> = {}): WidgetView => ({
  kind: 'gauge',
  title: 'NPS',
  enough: true,
  unit: 'score',
  value: 29.99,
  n: 40,
  interval: { low: 12.3, high: 47.7 },
  previous: null,
  points: [],
  pointsInAll: 0,
  ...more,
})
const svgOf = (more: Partial<WidgetView> = {}) => {
  const chart = gaugeOf(widget(more), 'en')
  return chart && 'svg' in chart ? chart.svg : null
}
/** Wider than any letter of a label. */
const LETTER_PX = 11

test.each([
  ['score', 29.99],
  ['score', -100],
  ['percent', 99.96],
] as const)('the labels of a gauge (%s %d) are those of its scale, and none overlaps', (unit, value) => {
  const labels = [...(svgOf({ unit, value }) ?? '').matchAll(/<text x="(\d+)"[^>]*anchor="(\w+)">([^<]*)/g)]
  expect(labels.map(([, , , text]) => text)).toEqual(unit === 'score' ? ['-100', '0', '100'] : ['0%', '50%', '100%'])
  const ends = labels.map(([, x, anchor, text = '']) => {
    const wide = text.length * LETTER_PX
    const start = Number(x) - { start: 0, middle: wide / 2, end: wide }[anchor as 'start' | 'middle' | 'end']
    return [start, start + wide] as const
  })
  for (const [at, [start]] of ends.entries()) expect(start).toBeGreaterThan(ends[at - 1]?.[1] ?? -1)
  expect(ends.at(-1)?.[1]).toBeLessThanOrEqual(GAUGE.width)
})

test('a figure stands at its place of the scale, in the middle of its interval', () => {
  const svg = svgOf({ value: 0, interval: { low: -50, high: 50 } }) ?? ''
  const [band] = [.../<g opacity=".3"><rect x="(\d+)" y="\d+" width="(\d+)"/.exec(svg)!].slice(1).map(Number)
  expect(band).toBe(112)
  expect(svg).toContain('<rect x="218"')
})

test('without enough answers, or without a scale, there is none', () => {
  expect(svgOf({ enough: false })).toBeNull()
  expect(svgOf({ unit: 'count' })).toBeNull()
})
