import { max } from 'd3-array'
import { scaleBand, scaleLinear } from 'd3-scale'
import { drawLines } from './axis.ts'
import { across, drawing, type Look } from './svg.ts'
import { namedPlaces } from './trend.ts'

export interface Volume {
  /** Null where too few answered. */
  points: Array<{ name: string; value: number | null }>
  format: (value: number) => string
}

const TOP = 12
const AXIS = 26
const SCALE = 40
const TICKS = 4

/** Amounts over time as columns on an axis. */
export function drawVolume({ points, format }: Volume, look: Look): string {
  const height = look.height ?? 190
  const { box, text } = across(look)
  const y = scaleLinear([0, Math.max(1, max(points, ({ value }) => value ?? 0) ?? 1)], [height - AXIS, TOP]).nice(TICKS)
  const x = bandsOf(points.length, look.width)
  return drawing(look, height, [
    ...drawLines({ y, ticks: TICKS, room: SCALE, format }, look),
    ...points.map(({ value }, index) => {
      const tall = value === null || value <= 0 ? 0 : Math.max(1, height - AXIS - y(value))
      return box(x(index) ?? 0, height - AXIS - tall, x.bandwidth(), tall, 'plain', 1)
    }),
    ...namedPlaces(points.length, look.width).map(({ index, anchor }) => {
      const start = x(index) ?? 0
      const place = anchor === 'start' ? start : anchor === 'end' ? start + x.bandwidth() : start + x.bandwidth() / 2
      return text(place, height - 6, points[index]?.name ?? '', '', anchor)
    }),
  ])
}

/** The middles of the columns, as shares of the width. */
export function volumePlaces(count: number, width: number): number[] {
  const x = bandsOf(count, width)
  return x.domain().map((index) => ((x(index) ?? 0) + x.bandwidth() / 2) / width)
}

function bandsOf(count: number, width: number) {
  const indexes = Array.from({ length: count }, (_, index) => index)
  return scaleBand<number>(indexes, [0, width - SCALE]).paddingInner(0.25)
}
