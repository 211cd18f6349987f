import { max, nice, ticks as ticksOf } from 'd3-array'
import { bandScale, clampedScale, linearScale } from './scale.ts'
import { across, drawing, element, shortened, type Look } from './svg.ts'

export type Level = 'high' | 'mid' | 'low'

export interface Column {
  name: string
  share: number
  /** Above the column. */
  text: string
  level: Level | null
}

const COLUMNS = { height: 150, top: 24, bottom: 20 }

/** The answers on a scale as columns in the colours of their bands. */
export function drawDistribution(columns: Column[], look: Look): string {
  const { height, top, bottom } = COLUMNS
  const { box, text } = across(look)
  const x = bandScale(columns.length, look.width, 0.1)
  const y = linearScale([0, Math.max(1, max(columns, ({ share }) => share) ?? 1)], [height - bottom, top])
  return drawing(
    look,
    height,
    columns.flatMap(({ name, share, text: said, level }, at) => {
      const start = x.at(at)
      const middle = start + x.width / 2
      const tall = Math.max(share > 0 ? 2 : 0.5, height - bottom - y(share))
      return [
        box(start, height - bottom - tall, x.width, tall, level ?? 'plain'),
        text(middle, height - 5, name, 'name', 'middle'),
        share > 0 ? text(middle, height - bottom - tall - 5, said, 'small', 'middle') : '',
      ]
    }),
  )
}

export interface Bar {
  name: string
  share: number
  /** Such as "44 %". */
  text: string
  /** Such as "464". */
  count: string
}

const ROW = 28
const NAMES = 0.34
const FIGURES = 92
/** Pixels that a letter of a name takes. */
const LETTER = 6.4

/** Choices as bars, with their shares and counts. */
export function drawBars(bars: Bar[], look: Look): string {
  const { box, text } = across(look)
  const names = Math.min(look.width * NAMES, 180)
  const x = linearScale([0, Math.max(1, max(bars, ({ share }) => share) ?? 1)], [0, look.width - names - FIGURES])
  return drawing(
    look,
    bars.length * ROW,
    bars.flatMap(({ name, share, text: said, count }, at) => {
      const y = at * ROW
      return [
        text(0, y + 18, shortened(name, Math.floor(names / LETTER)), 'name'),
        box(names, y + 8, Math.max(share > 0 ? 2 : 0, x(share)), 12, 'plain'),
        text(names + x(share) + 8, y + 18, said, 'value'),
        text(look.width, y + 18, count, '', 'end'),
      ]
    }),
  )
}

/** The bands as one bar, the worst first. */
export function drawBands(bands: Array<{ level: Level; share: number }>, look: Look): string {
  const gap = 2
  const { box } = across(look)
  const shown = bands.filter(({ share }) => share > 0)
  const room = look.width - gap * Math.max(0, shown.length - 1)
  let start = 0
  return drawing(
    look,
    12,
    shown.map(({ level, share }) => {
      const part = box(start, 0, (share / 100) * room, 12, level)
      start += (share / 100) * room + gap
      return part
    }),
  )
}

/** Those who are left at a step. Only the largest loss has a colour. */
export function drawStep({ share, isWorst }: { share: number; isWorst: boolean }, look: Look): string {
  return drawing(look, 10, [across(look).box(0, 0, (share / 100) * look.width, 10, isWorst ? 'low' : 'mid', 3)])
}

/** Figures of days as columns. */
export function drawSparkline(values: number[], look: Look): string {
  const height = 24
  const { box } = across(look)
  const x = bandScale(values.length, look.width, 0.2)
  const most = Math.max(1, max(values) ?? 1)
  return drawing(
    look,
    height,
    values.map((value, at) => {
      const tall = value === 0 ? 1 : Math.max(2, (value / most) * height)
      return box(x.at(at), height - tall, x.width, tall, value === 0 ? 'empty' : 'mid', 1)
    }),
  )
}

export interface Effect {
  value: number
  low: number
  high: number
  /** The largest effect of those that stand together. */
  most: number
}

/** An effect on a score to one side of zero, with its interval. */
export function drawEffect({ value, low, high, most }: Effect, look: Look): string {
  const height = 20
  const { at, box } = across(look)
  const x = clampedScale([-most, most], [0, look.width])
  const [start, end] = value < 0 ? [x(value), x(0)] : [x(0), x(value)]
  return drawing(look, height, [
    element('line', { class: 'axis', x1: at(x(0)), x2: at(x(0)), y1: 0, y2: height }),
    box(start, 5, Math.max(1, end - start), 10, value < 0 ? 'low' : 'high'),
    element('line', { class: 'doubt', x1: at(x(low)), x2: at(x(high)), y1: height / 2, y2: height / 2 }),
  ])
}

export interface Dot {
  value: number
  low: number
  high: number
  /** The figure before. */
  was: number | null
  /** The whole scale. The window shows 30 % of it, so that a small change can be seen. */
  range: [number, number]
}

const WINDOW = 0.3

/** A score as a dot on its interval, with a tick where it was. */
export function drawDot({ value, low, high, was, range }: Dot, look: Look): string {
  const half = ((range[1] - range[0]) * WINDOW) / 2
  const middle = (value + (was ?? value)) / 2
  const { at } = across(look)
  const x = clampedScale([middle - half, middle + half], [4, look.width - 4])
  const line = (name: string, from: number, to: number, [y1, y2]: [number, number]) =>
    element('line', { class: name, x1: at(from), x2: at(to), y1, y2 })
  return drawing(look, 20, [
    line('grid', 4, look.width - 4, [10, 10]),
    line('interval', x(low), x(high), [10, 10]),
    was === null ? '' : line('was', x(was), x(was), [3, 17]),
    element('circle', { class: 'ink', cx: at(x(value)), cy: 10, r: 4 }),
  ])
}

export interface Place {
  value: number
  low: number | null
  high: number | null
  was: number | null
  /** The ends of what is shown. */
  range: [number, number]
  /** A line at a value that means something, such as zero. */
  line: number | null
  /** Values with a faint line, those that `drawScale` names. */
  ticks?: number[]
}

/** A score with its interval, on a scale that several share. */
export function drawPlace({ value, low, high, was, range, line, ticks = [] }: Place, look: Look): string {
  const { at } = across(look)
  const x = placesOf(range, look)
  const upright = (name: string, where: number) =>
    element('line', { class: name, x1: at(x(where)), x2: at(x(where)), y1: 3, y2: 17 })
  return drawing(look, 20, [
    element('line', { class: 'grid', x1: at(5), x2: at(look.width - 5), y1: 10, y2: 10 }),
    ...ticks.map((tick) => upright('grid', tick)),
    line === null ? '' : upright('axis', line),
    low === null || high === null
      ? ''
      : element('line', { class: 'interval', x1: at(x(low)), x2: at(x(high)), y1: 10, y2: 10 }),
    was === null ? '' : upright('was', was),
    element('circle', { class: 'ink', cx: at(x(value)), cy: 10, r: 4 }),
  ])
}

/** The scale of `drawPlace` for several figures: round ends, and the values to name. */
export function sharedScale(ends: number[]): { range: [number, number]; ticks: number[] } {
  const range = nice(Math.min(...ends), Math.max(...ends), SCALE_TICKS)
  return { range, ticks: ticksOf(...range, SCALE_TICKS) }
}

/** The names of the values above figures of `drawPlace`. */
export function drawScale(
  { range, ticks, format }: { range: [number, number]; ticks: number[]; format: (value: number) => string },
  look: Look,
): string {
  const { text } = across(look)
  const x = placesOf(range, look)
  const last = ticks.length - 1
  return drawing(
    look,
    16,
    ticks.map((tick, place) =>
      text(
        place === 0 ? 0 : place === last ? look.width : x(tick),
        12,
        format(tick),
        '',
        place === 0 ? 'start' : place === last ? 'end' : 'middle',
      ),
    ),
  )
}

const SCALE_TICKS = 5

function placesOf(range: [number, number], look: Look) {
  return clampedScale(range, [5, look.width - 5])
}
