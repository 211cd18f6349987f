import type { LinearScale } from './scale.ts'
import { across, element, type Look } from './svg.ts'

interface Axis {
  y: LinearScale
  /** About how many lines. */
  ticks: number
  /** The width that the numbers at the end take. */
  room: number
  format: (value: number) => string
}

/** The lines of an upright scale, each with its number at the end. The lowest is the axis. */
export function drawLines({ y, ticks, room, format }: Axis, look: Look): string[] {
  const { at, text } = across(look)
  const end = look.width - room
  return y
    .ticks(ticks)
    .flatMap((tick, index) => [
      element('line', { class: index === 0 ? 'axis' : 'grid', x1: at(0), x2: at(end), y1: y(tick), y2: y(tick) }),
      text(end + 8, y(tick) + 4, format(tick)),
    ])
}
