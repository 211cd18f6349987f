import { ticks } from 'd3-array'
import { across, element, type Look } from './svg.ts'

/**
 * Places of values on a straight line. Packages of scales bring colours and formats along, half of what charts weigh.
 */
interface LinearScale {
  (value: number): number
  /** About `count` round values within the domain. */
  ticks: (count: number) => number[]
}

/** The values of `domain` at the places of `range`. Values outside of the domain have places outside of the range. */
export function linearScale([low, high]: [number, number], [start, end]: [number, number]): LinearScale {
  const at = (value: number) =>
    high === low ? (start + end) / 2 : start + ((value - low) / (high - low)) * (end - start)
  return Object.assign(at, { ticks: (count: number) => ticks(low, high, count) })
}

/** A linear scale that puts values outside of the domain at its ends. */
export function clampedScale(domain: [number, number], range: [number, number]): (value: number) => number {
  const at = linearScale(domain, range)
  return (value) => at(Math.min(Math.max(value, domain[0]), domain[1]))
}

/** `count` equal bands side by side. `padding` is the share of a step between two of them. */
export function bandScale(count: number, width: number, padding: number) {
  const step = width / Math.max(1, count - padding)
  return { at: (index: number) => index * step, width: step * (1 - padding) }
}

interface Axis {
  y: LinearScale
  /** About how many lines. */
  ticks: number
  /** The width that the numbers at the end take. */
  room: number
  /** Only whole values get a line: there is no half of what is counted. */
  isWhole: boolean
  format: (value: number) => string
}

/** The lines of an upright scale, each with its number at the end. The lowest is the axis. */
export function drawLines({ y, ticks, room, isWhole, format }: Axis, look: Look): string[] {
  const { at, text } = across(look)
  const end = look.width - room
  return y
    .ticks(ticks)
    .filter((tick) => !isWhole || Number.isInteger(tick))
    .flatMap((tick, index) => [
      element('line', { class: index === 0 ? 'axis' : 'grid', x1: at(0), x2: at(end), y1: y(tick), y2: y(tick) }),
      text(end + 8, y(tick) + 4, format(tick)),
    ])
}
