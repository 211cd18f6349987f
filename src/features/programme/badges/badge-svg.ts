import type { Metric } from '../../../survey-engine/model/definition.ts'
import { accentOn } from '../../../platform/look/accent.ts'
import { LIGHT } from '../../../platform/look/tokens.ts'

export interface BadgeFigure {
  label: string
  value: number | null
  n: number
  enough: boolean
}

const TOO_FEW = 'not enough data'

/** The figure as people write it: `+51`, `92 %`. */
export function shownValue(metric: Metric, { value, enough }: BadgeFigure): string {
  if (value === null || !enough) return TOO_FEW
  const whole = Math.round(value)
  return metric === 'nps' ? `${whole > 0 ? '+' : ''}${whole}` : `${whole} %`
}

/** A badge as SVG without scripts, links or outside parts. Programs that read aloud say its title. */
export function badgeSvg(
  { metric, style, color }: { metric: Metric; style: 'flat' | 'card'; color: string },
  figure: BadgeFigure,
): string {
  const value = shownValue(metric, figure)
  if (style === 'card') return card(metric, figure, value, color)
  return flat(figure.label, value, countOf(figure.n, figure.enough), color)
}

function flat(label: string, value: string, count: string, color: string): string {
  const accent = accentOn(color, '#ffffff')
  const [left, right] = [widthOf(label, 11) + 16, widthOf(value, 11) + 16]
  return svg(
    left + right,
    20,
    [label, value, count],
    [
      `<clipPath id="r"><rect width="${left + right}" height="20" rx="4"/></clipPath><g clip-path="url(#r)">`,
      `<rect width="${left}" height="20" fill="${LIGHT.ink}"/><rect x="${left}" width="${right}" height="20" fill="${accent.color}"/></g>`,
      text(label, { x: left / 2, y: 14, size: 11, width: left - 16, fill: '#ffffff' }),
      text(value, { x: left + right / 2, y: 14, size: 11, width: right - 16, fill: accent.text, weight: 600 }),
    ],
  )
}

/** The figure large, and its place on the whole scale. */
function card(metric: Metric, { label, n, ...figure }: BadgeFigure, value: string, color: string): string {
  const accent = accentOn(color, LIGHT.paper)
  const size = value === TOO_FEW ? 20 : 40
  const count = figure.enough ? `n = ${n}` : ''
  const width = Math.max(240, widthOf(label, 13) + 40, widthOf(value, size) + 40)
  const room = width - 40
  const at = figure.value === null ? null : (metric === 'nps' ? (figure.value + 100) / 200 : figure.value / 100) * room
  return svg(
    width,
    144,
    [label, value, countOf(n, figure.enough)],
    [
      `<rect x=".5" y=".5" width="${width - 1}" height="143" rx="10" fill="${LIGHT.paper}" stroke="${LIGHT.line}"/>`,
      text(label, { x: 20, y: 34, size: 13, width: widthOf(label, 13), fill: LIGHT.soft, anchor: 'start' }),
      text(value, { x: 20, y: 82, size, width: widthOf(value, size), fill: LIGHT.ink, weight: 600, anchor: 'start' }),
      text(count, { x: width - 20, y: 82, size: 13, width: widthOf(count, 13), fill: LIGHT.soft, anchor: 'end' }),
      `<rect x="20" y="108" width="${room}" height="6" rx="3" fill="${LIGHT.line}"/>`,
      at === null
        ? ''
        : `<rect x="20" y="108" width="${Math.max(6, Math.round(at))}" height="6" rx="3" fill="${accent.color}"/>`,
    ],
  )
}

function countOf(n: number, enough: boolean): string {
  return enough ? `${n} ${n === 1 ? 'answer' : 'answers'}` : ''
}

function svg(width: number, height: number, words: string[], parts: string[]): string {
  const title = words.filter((word) => word !== '').map(escape)
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" ` +
    `role="img" aria-labelledby="t" font-family="Verdana,DejaVu Sans,Noto Sans,sans-serif"><title id="t">` +
    `${title[0]}: ${title.slice(1).join(', ')}</title>${parts.join('')}</svg>`
  )
}

interface Place {
  x: number
  y: number
  size: number
  width: number
  fill: string
  weight?: number
  anchor?: 'start' | 'middle' | 'end'
}

// `textLength` fits the words into their place, whatever font the reader has.
function text(words: string, { x, y, size, width, fill, weight = 400, anchor = 'middle' }: Place): string {
  if (words === '') return ''
  return `<text x="${x}" y="${y}" font-size="${size}" font-weight="${weight}" fill="${fill}" text-anchor="${anchor}" textLength="${width}" lengthAdjust="spacingAndGlyphs">${escape(words)}</text>`
}

/** About the width in pixels: wide scripts need a square for each character. */
function widthOf(words: string, size: number): number {
  let units = 0
  for (const letter of words) units += WIDE.test(letter) ? 1 : NARROW.test(letter) ? 0.38 : 0.64
  return Math.round(units * size)
}

const WIDE = /[\u1100-\u11ff\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60]|\p{Extended_Pictographic}/u
const NARROW = /[ .,:;!'|iIjl]/

// XML cannot hold control characters at all.
function escape(words: string): string {
  return words
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
    .replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
