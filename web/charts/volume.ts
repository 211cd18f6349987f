import { max, nice } from 'd3-array'
import { bandScale, linearScale, drawLines } from './scale.ts'
import { across, drawing, type Look } from './svg.ts'
import { namedPlaces } from './trend.ts'

export interface Volume {
  /** Null where too few answered. */
  points: Array<{ name: string; value: number | null }>
  /** The amounts are counts. */
  isWhole?: boolean
  format: (value: number) => string
}

const TOP = 12
const AXIS = 26
const SCALE = 40
const TICKS = 4

/** Amounts over time as columns on an axis. */
export function drawVolume({ points, isWhole = false, format }: Volume, look: Look): string {
  const height = look.height ?? 190
  const { box, text } = across(look)
  const most = Math.max(1, max(points, ({ value }) => value ?? 0) ?? 1)
  const y = linearScale(nice(0, most, TICKS), [height - AXIS, TOP])
  const x = bandsOf(points.length, look.width)
  return drawing(look, height, [
    ...drawLines({ y, ticks: TICKS, room: SCALE, isWhole, format }, look),
    ...points.map(({ value }, index) => {
      const tall = value === null || value <= 0 ? 0 : Math.max(1, height - AXIS - y(value))
      return box(x.at(index), height - AXIS - tall, x.width, tall, 'plain', 1)
    }),
    ...namedPlaces(points.length, look.width).map(({ index, anchor }) => {
      const start = x.at(index)
      const place = anchor === 'start' ? start : anchor === 'end' ? start + x.width : start + x.width / 2
      return text(place, height - 6, points[index]?.name ?? '', '', anchor)
    }),
  ])
}

/** The middles of the columns, as shares of the width. */
export function volumePlaces(count: number, width: number): number[] {
  const x = bandsOf(count, width)
  return Array.from({ length: count }, (_, index) => (x.at(index) + x.width / 2) / width)
}

function bandsOf(count: number, width: number) {
  return bandScale(count, width - SCALE, 0.25)
}
