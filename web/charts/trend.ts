import { extent, max, min, nice } from 'd3-array'
import { area, line } from 'd3-shape'
import { linearScale, drawLines } from './scale.ts'
import { across, drawing, element, type Look } from './svg.ts'

export interface TrendPoint {
  /** The middle of its interval, in milliseconds. */
  at: number
  /** Its name below the axis. */
  name: string
  /** Null where too few answered. */
  value: number | null
  low: number | null
  high: number | null
}

/** A stretch of time as a whole, with its figure. */
export interface TrendSpan {
  from: number
  to: number
  value: number
  low: number
  high: number
  text: string
}

export interface Trend {
  points: TrendPoint[]
  /** Another time that is laid over this one. */
  before: Array<{ at: number; value: number | null }>
  /** Those that the lede compares, so that "more than chance" can be seen. */
  spans: TrendSpan[]
  /** The ends of the scale. */
  range: [number, number]
  /** The values are counts. */
  isWhole?: boolean
  format: (value: number) => string
}

const TOP = 12
const AXIS = 26
const SCALE = 34
const INSET = 6
const TICKS = 5
/** The width that the name of a point needs. */
const NAME = 110

/** A score over time with its doubt. Intervals of time with too few answers are gaps. */
export function drawTrend({ points, before, spans, range, isWhole = false, format }: Trend, look: Look): string {
  const height = look.height ?? (look.width > 500 ? 220 : 190)
  const { at, text } = across(look)
  const { x, from, to } = timeScale(points, look.width)
  const values = [...points, ...spans]
    .flatMap(({ value, low, high }) => [value, low, high])
    .filter((each) => each !== null)
  const all = [...values, ...before.flatMap(({ value }) => value ?? [])]
  const lowest = Math.max(range[0], min(all) ?? range[0])
  const highest = Math.min(range[1], max(all) ?? range[1])
  const room = Math.max(1, (highest - lowest) * 0.08)
  const [bottom, top] = nice(lowest - room, highest + room, TICKS)
  // A round end beyond the scale of the metric would promise scores that nobody can have.
  const y = linearScale([Math.max(range[0], bottom), Math.min(range[1], top)], [height - AXIS, TOP])
  const isKnown = ({ value }: { value: number | null }) => value !== null
  const ribbon = area<TrendPoint>()
    .defined(({ low, high }) => low !== null && high !== null)
    .x((point) => at(x(point.at)))
    .y0(({ low }) => y(low ?? 0))
    .y1(({ high }) => y(high ?? 0))
  const path = line<{ at: number; value: number | null }>()
    .defined(isKnown)
    .x((point) => at(x(point.at)))
    .y(({ value }) => y(value ?? 0))
  const known = points.filter(isKnown)
  return drawing(look, height, [
    ...drawLines({ y, ticks: TICKS, room: SCALE, isWhole, format }, look),
    element('path', { class: 'ribbon', d: ribbon(points) ?? '' }),
    element('path', { class: 'before', d: path(before.filter((each) => each.at >= from && each.at <= to)) ?? '' }),
    ...spans.flatMap((span) => drawSpan(span, { x, y, look, extent: [from, to] })),
    element('path', { class: 'line', d: path(points) ?? '' }),
    ...known.map((point) =>
      element('circle', {
        class: point === known.at(-1) ? 'point last' : 'point',
        cx: at(x(point.at)),
        cy: y(point.value ?? 0),
        r: point === known.at(-1) ? 4 : known.length > 40 ? 0 : 2.5,
      }),
    ),
    ...named(points, look.width).map(({ point, anchor }) => text(x(point.at), height - 6, point.name, '', anchor)),
  ])
}

/** Where the points stand, as shares of the width. */
export function trendPlaces(points: TrendPoint[], width: number): number[] {
  const { x } = timeScale(points, width)
  return points.map(({ at }) => x(at) / width)
}

function timeScale(points: TrendPoint[], width: number) {
  const [from = 0, to = 1] = extent(points, (point) => point.at)
  return { x: linearScale([from, to === from ? from + 1 : to], [INSET, width - SCALE]), from, to }
}

type Scale = (value: number) => number

function drawSpan(
  { from, to, value, low, high, text: said }: TrendSpan,
  { x, y, look, extent: [first, last] }: { x: Scale; y: Scale; look: Look; extent: [number, number] },
): string[] {
  const { at, box, text } = across(look)
  const [start, end] = [x(Math.max(from, first)), x(Math.min(to, last))]
  if (end <= start) return []
  return [
    box(start, y(high), end - start, y(low) - y(high), 'span', 3),
    element('line', { class: 'middle', x1: at(start), x2: at(end), y1: y(value), y2: y(value) }),
    text((start + end) / 2, y(high) - 5, said, 'said', 'middle'),
  ]
}

/** The points whose names fit side by side. */
function named(points: TrendPoint[], width: number) {
  return namedPlaces(points.length, width).flatMap(({ index, anchor }) => {
    const point = points[index]
    return point ? [{ point, anchor }] : []
  })
}

/** Which of many names fit side by side, and how each is joined to its place. */
export function namedPlaces(count: number, width: number) {
  const most = Math.max(2, Math.floor(width / NAME))
  const step = Math.max(1, Math.ceil((count - 1) / (most - 1)))
  const last = count - 1
  return Array.from({ length: count }, (_, index) => index)
    .filter((index) => index % step === 0)
    .map((index) => ({
      index,
      anchor: index === 0 ? ('start' as const) : index === last ? ('end' as const) : ('middle' as const),
    }))
}
