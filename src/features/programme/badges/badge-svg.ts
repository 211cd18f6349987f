import type { Metric } from '../../../survey-engine/model/definition.ts'
import { accentOn } from '../../../platform/look/accent.ts'

export interface BadgeFigure {
  label: string
  value: number | null
  n: number
  enough: boolean
}

const TOO_FEW = 'not enough data'
const DARK = '#33323b'

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
  const count = figure.enough ? `${figure.n} ${figure.n === 1 ? 'answer' : 'answers'}` : ''
  return style === 'card' ? card(figure.label, value, count, color) : flat(figure.label, value, count, color)
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
      `<rect width="${left}" height="20" fill="${DARK}"/><rect x="${left}" width="${right}" height="20" fill="${accent.color}"/></g>`,
      text(label, { x: left / 2, y: 14, size: 11, width: left - 16, fill: '#ffffff' }),
      text(value, { x: left + right / 2, y: 14, size: 11, width: right - 16, fill: accent.text, weight: 600 }),
    ],
  )
}

function card(label: string, value: string, count: string, color: string): string {
  const accent = accentOn(color, '#ffffff')
  const size = value === TOO_FEW ? 18 : 34
  const width = Math.max(160, widthOf(label, 13) + 32, widthOf(value, size) + 32)
  return svg(
    width,
    112,
    [label, value, count],
    [
      `<rect x=".5" y=".5" width="${width - 1}" height="111" rx="10" fill="#ffffff" stroke="#d9d8de"/>`,
      `<rect x="16" y="16" width="28" height="4" rx="2" fill="${accent.color}"/>`,
      text(label, { x: width / 2, y: 42, size: 13, width: widthOf(label, 13), fill: '#55535e' }),
      text(value, { x: width / 2, y: 78, size, width: widthOf(value, size), fill: '#141319', weight: 600 }),
      text(count, { x: width / 2, y: 98, size: 11, width: widthOf(count, 11), fill: '#55535e' }),
    ],
  )
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
}

// `textLength` fits the words into their place, whatever font the reader has.
function text(words: string, { x, y, size, width, fill, weight = 400 }: Place): string {
  if (words === '') return ''
  return `<text x="${x}" y="${y}" font-size="${size}" font-weight="${weight}" fill="${fill}" text-anchor="middle" textLength="${width}" lengthAdjust="spacingAndGlyphs">${escape(words)}</text>`
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
