import { LIGHT } from '../../../../platform/look/tokens.ts'
import { figureText, type WidgetView } from '../widget-view.ts'
import type { Chart } from './charts.ts'

/** Narrower than a chart, because a letter is as narrow as a phone and its labels shrink with it. */
export const GAUGE = { width: 440, height: 48 }
const INSET = 4
const RAIL = 16
const BAND = 18
const LABELS = 42

/** The ends of the scale that a figure stands on. Null for one without a scale. */
export function scaleOf(unit: WidgetView['unit']): [number, number] | null {
  return unit === 'score' ? [-100, 100] : unit === 'percent' ? [0, 100] : null
}

/**
 * The scale of a gauge with the figure and its interval on it, for letters. The figure itself stands above as text, so
 * only the ends and the middle of the scale have labels, which never meet.
 */
export function gaugeOf(widget: WidgetView, language: string): Chart | null {
  const { unit, value, interval, enough } = widget
  const scale = scaleOf(unit)
  if (!scale || !enough || typeof value !== 'number') return null
  const { width, height } = GAUGE
  const [low, high] = scale
  const at = (figure: number) =>
    Math.round(INSET + ((Math.min(high, Math.max(low, figure)) - low) / (high - low)) * (width - 2 * INSET))
  const label = (figure: number, anchor: 'start' | 'middle' | 'end', x = at(figure)) =>
    `<text x="${x}" y="${LABELS}" text-anchor="${anchor}">${figureText(figure, unit, language)}</text>`
  const rect = (x: number, y: number, wide: number, tall: number, fill: string) =>
    `<rect x="${x}" y="${y}" width="${wide}" height="${tall}" rx="2" fill="${fill}"/>`
  const middle = (low + high) / 2
  return {
    svg: [
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="Roboto, system-ui, sans-serif" font-size="13" fill="${LIGHT.soft}">`,
      rect(INSET, RAIL - 1, width - 2 * INSET, 3, LIGHT.edge),
      rect(at(middle) - 1, RAIL - 7, 2, 15, LIGHT.edge),
      interval
        ? `<g opacity=".3">${rect(at(interval.low), RAIL - BAND / 2, at(interval.high) - at(interval.low), BAND, LIGHT.accent)}</g>`
        : '',
      rect(at(value) - 2, RAIL - 12, 5, 25, LIGHT.accent),
      label(low, 'start', INSET),
      label(middle, 'middle'),
      label(high, 'end', width - INSET),
      '</svg>',
    ].join(''),
  }
}
