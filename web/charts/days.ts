import { max } from 'd3-array'
import { scaleBand, scaleLinear } from 'd3-scale'
import { across, drawing, type Look } from './svg.ts'

export interface Day {
  name: string
  value: number
}

const HEIGHT = 150
const TOP = 20
const BOTTOM = 20
/** The width that the name of a day needs. */
const NAME = 64

/** A count of each day as columns. The highest says its count. */
export function drawDays(days: Day[], look: Look): string {
  const { box, text } = across(look)
  const x = bandsOf(days, look.width)
  const most = Math.max(1, max(days, ({ value }) => value) ?? 1)
  const y = scaleLinear([0, most], [HEIGHT - BOTTOM, TOP])
  const named = Math.max(1, Math.ceil(days.length / Math.max(1, Math.floor(look.width / NAME))))
  const highest = days.findIndex(({ value }) => value === most)
  return drawing(
    look,
    HEIGHT,
    days.flatMap(({ name, value }, at) => {
      const start = x(at) ?? 0
      const middle = start + x.bandwidth() / 2
      const tall = value === 0 ? 1 : Math.max(2, HEIGHT - BOTTOM - y(value))
      return [
        box(start, HEIGHT - BOTTOM - tall, x.bandwidth(), tall, value === 0 ? 'empty' : 'plain'),
        at % named === 0 ? text(start, HEIGHT - 4, name, 'name') : '',
        at === highest ? text(middle, y(value) - 6, String(value), 'value', 'middle') : '',
      ]
    }),
  )
}

/** Where the days stand, as shares of the width. */
export function dayPlaces(days: Day[], width: number): number[] {
  const x = bandsOf(days, width)
  return days.map((_, at) => ((x(at) ?? 0) + x.bandwidth() / 2) / width)
}

function bandsOf(days: Day[], width: number) {
  return scaleBand<number>(
    days.map((_, at) => at),
    [0, width],
  ).paddingInner(0.2)
}
