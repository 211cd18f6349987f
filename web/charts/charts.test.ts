import { parseDocument, DomUtils } from 'htmlparser2'
import { expect, test } from 'vitest'
import {
  drawBands,
  drawBars,
  drawDistribution,
  drawDot,
  drawEffect,
  drawPlace,
  drawScale,
  drawSparkline,
  drawStep,
  sharedScale,
} from './marks.ts'
import { drawTrend, type Trend } from './trend.ts'
import { drawVolume, volumePlaces } from './volume.ts'

const WEEK = 7 * 86_400_000
const look = { width: 680, label: 'NPS by week' }

const point = (week: number, value: number | null) => ({
  at: week * WEEK,
  name: `W${week}`,
  value,
  low: value === null ? null : value - 9,
  high: value === null ? null : value + 9,
})
const TREND: Trend = {
  points: [point(0, 46), point(1, 49), point(2, null), point(3, 41)],
  before: [
    { at: 0, value: 44 },
    { at: WEEK, value: 45 },
  ],
  spans: [
    { from: 0, to: WEEK, value: 48, low: 44, high: 52, text: '48' },
    { from: 2 * WEEK, to: 4 * WEEK, value: 41, low: 37, high: 45, text: '41' },
  ],
  range: [-100, 100],
  format: String,
}

const read = (svg: string) => parseDocument(svg, { xmlMode: true })
const all = (svg: string, name: string) =>
  DomUtils.findAll((each) => each.attribs['class']?.split(' ')[0] === name, read(svg))
const numbersOf = (path: string) => [...path.matchAll(/-?\d+(?:\.\d+)?/g)].map(([number]) => Number(number))
const attribute = (svg: string, name: string, which: string, index = 0) => Number(all(svg, name)[index]?.attribs[which])

const VOLUME = [
  { name: 'Mon', value: 4 },
  { name: 'Tue', value: null },
  { name: 'Wed', value: 8 },
]

const CHARTS: Array<[string, (isRtl: boolean, label: string) => string]> = [
  ['trend', (isRtl, label) => drawTrend(TREND, { width: 680, label, isRtl })],
  [
    'distribution',
    (isRtl, label) =>
      drawDistribution(
        [
          { name: '0', share: 20, text: '20 %', level: 'low' },
          { name: '1', share: 0, text: '0 %', level: null },
        ],
        { width: 680, label, isRtl },
      ),
  ],
  [
    'bars',
    (isRtl, label) =>
      drawBars([{ name: 'Delivery <b>', share: 44, text: '44 %', count: '464' }], { width: 330, label, isRtl }),
  ],
  [
    'bands',
    (isRtl, label) =>
      drawBands(
        [
          { level: 'low', share: 40 },
          { level: 'high', share: 60 },
        ],
        { width: 680, label, isRtl },
      ),
  ],
  ['step', (isRtl, label) => drawStep({ share: 90, isWorst: true }, { width: 300, label, isRtl })],
  ['sparkline', (isRtl, label) => drawSparkline([0, 3, 6], { width: 84, label, isRtl })],
  [
    'effect',
    (isRtl, label) => drawEffect({ value: -2.9, low: -3.4, high: -2.4, most: 4 }, { width: 300, label, isRtl }),
  ],
  [
    'place',
    (isRtl, label) =>
      drawPlace({ value: 41, low: 37, high: 46, was: 148, range: [-100, 100], line: 0 }, { width: 140, label, isRtl }),
  ],
  [
    'scale',
    (isRtl, label) => drawScale({ range: [40, 80], ticks: [40, 60, 80], format: String }, { width: 140, label, isRtl }),
  ],
  [
    'volume',
    (isRtl, label) => drawVolume({ points: VOLUME, format: String }, { width: 330, height: 120, label, isRtl }),
  ],
  [
    'dot',
    (isRtl, label) =>
      drawDot({ value: 41, low: 37, high: 46, was: 48, range: [-100, 100] }, { width: 140, label, isRtl }),
  ],
]

test.each(CHARTS)('a %s is an image with a sentence, inside its box, in both directions', (_, draw) => {
  for (const isRtl of [false, true]) {
    const svg = draw(isRtl, 'A "sentence" & <more>')
    const [root] = DomUtils.getElementsByTagName('svg', read(svg))
    expect(root?.attribs).toMatchObject({ role: 'img', 'aria-label': 'A "sentence" & <more>' })
    const [, , width = 0, height = 0] = String(root?.attribs['viewBox']).split(' ').map(Number)
    for (const { attribs } of DomUtils.findAll(() => true, read(svg))) {
      for (const name of ['x', 'x1', 'x2', 'cx']) {
        const at = Number(attribs[name] ?? 0) + (name === 'x' ? Number(attribs['width'] ?? 0) : 0)
        expect([at >= -0.5, at <= width + 0.5], `${name} ${at}`).toEqual([true, true])
      }
      for (const name of ['y', 'y1', 'y2', 'cy']) expect(Number(attribs[name] ?? 0)).toBeLessThanOrEqual(height)
    }
    expect(svg).not.toMatch(/NaN|undefined|style=|<b>/)
  }
})

test('a trend has a ribbon, gaps where too few answered, and the spans that are compared', () => {
  const svg = drawTrend(TREND, look)
  expect(all(svg, 'point')).toHaveLength(3)
  // A gap begins a new path.
  expect(all(svg, 'line')[0]?.attribs['d']?.match(/M/g)).toHaveLength(2)
  expect(all(svg, 'ribbon')[0]?.attribs['d']?.match(/M/g)).toHaveLength(2)
  expect(all(svg, 'span')).toHaveLength(2)
  expect(all(svg, 'said').map((each) => DomUtils.textContent(each))).toEqual(['48', '41'])
  // The higher score stands higher.
  expect(attribute(svg, 'middle', 'y1', 0)).toBeLessThan(attribute(svg, 'middle', 'y1', 1))
  const [first] = numbersOf(all(svg, 'line')[0]?.attribs['d'] ?? '')
  const [mirrored] = numbersOf(all(drawTrend(TREND, { ...look, isRtl: true }), 'line')[0]?.attribs['d'] ?? '')
  expect((first ?? 0) + (mirrored ?? 0)).toBeCloseTo(680, 0)
})

test('a trend shows no score beyond the ends of its scale', () => {
  const points = [point(0, 92), point(1, -60)].map((each) => ({ ...each, low: -100, high: 100 }))
  const svg = drawTrend({ ...TREND, points, spans: [], before: [] }, look)
  const labels = DomUtils.getElementsByTagName('text', read(svg)).map((each) => Number(DomUtils.textContent(each)))
  const ticks = labels.filter((each) => !Number.isNaN(each))
  expect([Math.min(...ticks), Math.max(...ticks)]).toEqual([-100, 100])
})

test('a trend without any answer, or with one interval, is drawn', () => {
  for (const points of [[], [point(0, null)], [point(0, 40)]])
    expect(drawTrend({ ...TREND, points, spans: [], before: [] }, look)).toContain('role="img"')
})

test('shares are lengths', () => {
  const columns = (shares: number[]) =>
    drawDistribution(
      shares.map((share) => ({ name: '', share, text: '', level: 'high' as const })),
      look,
    )
  expect(attribute(columns([10, 20]), 'high', 'height', 1)).toBeCloseTo(
    2 * attribute(columns([10, 20]), 'high', 'height', 0),
    0,
  )
  const bands = drawBands(
    [
      { level: 'low', share: 25 },
      { level: 'high', share: 75 },
    ],
    look,
  )
  expect(attribute(bands, 'high', 'width')).toBeCloseTo(3 * attribute(bands, 'low', 'width'), 0)
  expect(attribute(drawStep({ share: 50, isWorst: false }, look), 'mid', 'width')).toBe(340)
})

test('an effect stands on its side of zero, and the window of a dot shows 30 % of its scale', () => {
  const effect = (value: number) =>
    drawEffect({ value, low: value - 1, high: value + 1, most: 4 }, { width: 400, label: '' })
  expect(attribute(effect(-2), 'low', 'x')).toBe(100)
  expect(attribute(effect(2), 'high', 'x')).toBe(200)
  const dot = drawDot({ value: 41, low: 37, high: 45, was: 48, range: [-100, 100] }, { width: 140, label: '' })
  // 7 of 60 points on 132 pixels.
  expect(attribute(dot, 'was', 'x1') - attribute(dot, 'ink', 'cx')).toBeCloseTo(15.4, 0)
})

test('a shared scale has round ends, and names the values at which places have lines', () => {
  const { range, ticks } = sharedScale([53.4, 77.9, 61])
  expect(range).toEqual([50, 80])
  const svg = drawScale({ range, ticks, format: (value) => `${value} %` }, { width: 210, label: '' })
  const names = DomUtils.getElementsByTagName('text', read(svg))
  expect(names.map((name) => DomUtils.textContent(name))).toEqual(ticks.map((tick) => `${tick} %`))
  const place = drawPlace(
    { value: 60, low: null, high: null, was: null, range, line: null, ticks },
    { width: 210, label: '' },
  )
  const middle = ticks.indexOf(60)
  expect(names[middle]?.attribs['x']).toBe(String(attribute(place, 'ink', 'cx')))
  expect(attribute(place, 'grid', 'x1', middle + 1)).toBe(attribute(place, 'ink', 'cx'))
})

test.each([
  [0, ['0', '1']],
  [1, ['0', '1']],
  [2, ['0', '1', '2']],
  [40, ['0', '10', '20', '30', '40']],
])('the axis of counts up to %i has whole numbers, each once', (most, expected) => {
  const points = [{ name: '', value: most }]
  const numbers = (svg: string) =>
    DomUtils.getElementsByTagName('text', read(svg))
      .map((each) => DomUtils.textContent(each))
      .filter((each) => each !== '')
  const format = (value: number) => String(Math.round(value))
  expect(numbers(drawVolume({ points, isWhole: true, format }, look))).toEqual(expected)
})

test('places on one scale can be compared, and amounts are heights', () => {
  const place = (value: number) =>
    drawPlace({ value, low: null, high: null, was: null, range: [0, 100], line: null }, { width: 110, label: '' })
  expect([0, 50, 100].map((value) => attribute(place(value), 'ink', 'cx'))).toEqual([5, 55, 105])
  const volume = drawVolume({ points: VOLUME, format: String }, { width: 340, height: 138, label: '' })
  expect([0, 1, 2].map((at) => attribute(volume, 'plain', 'height', at))).toEqual([50, 0, 100])
  for (const [at, middle] of volumePlaces(3, 340).entries()) {
    const start = attribute(volume, 'plain', 'x', at)
    expect(start + attribute(volume, 'plain', 'width', at) / 2).toBeCloseTo(middle * 340, 0)
  }
})
