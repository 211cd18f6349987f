import { isUtf8 } from 'node:buffer'
import { Parser } from 'htmlparser2'
import { MOST_SIDE, refusal, type Picture, type PictureRefusal } from './picture.ts'
import { PROPERTIES, readRules, styleOf, type Rules } from './svg-styles.ts'

/** Elements that stay. Every other one goes with its content: scripts, styles, foreign objects, bitmaps, animations. */
const ELEMENTS = new Set(
  `svg g defs symbol use path rect circle ellipse line polyline polygon text tspan textPath title desc linearGradient
   radialGradient stop clipPath mask pattern marker`.split(/\s+/),
)

/** Elements that only group others. */
const GROUPS = new Set(['a', 'switch'])

const ATTRIBUTES = new Set([
  ...PROPERTIES,
  ...`id x y x1 y1 x2 y2 cx cy r rx ry fx fy fr d points width height viewBox preserveAspectRatio transform
   gradientTransform gradientUnits spreadMethod patternUnits patternContentUnits patternTransform maskUnits
   maskContentUnits clipPathUnits markerWidth markerHeight markerUnits refX refY orient offset pathLength dx dy rotate
   textLength lengthAdjust startOffset href`.split(/\s+/),
])

interface Element {
  name: string
  attributes: Record<string, string>
  children: Array<Element | string>
}

const MOST_ELEMENTS = 20_000
const MOST_DEPTH = 100
/** With all that elements refer to. A reference draws its target again, so chains of them multiply. */
const MOST_DRAWN = 100_000
const DEFAULT_SIZE = { width: 300, height: 150 }

const UNKNOWN = refusal('unknown_type', 'This is not an intact PNG, JPEG, WebP, GIF or SVG. Use one of these.')
const DAMAGED = refusal('invalid_picture', 'This SVG is damaged. Export it again, as plain SVG.')
const ENTITIES = refusal('invalid_picture', 'This SVG declares entities. Export it again, as plain SVG.')
const COMPLEX = refusal(
  'invalid_picture',
  'This SVG has too many parts, or a part that contains itself. Simplify it, or upload a PNG.',
)

/**
 * Writes an SVG anew with nothing but shapes, gradients and text. Styles become attributes; what runs, moves, loads or
 * links is left out. docs/assets.md, "SVG"
 */
export function cleanSvg(bytes: Uint8Array): Picture | PictureRefusal {
  if (!isUtf8(bytes)) return UNKNOWN
  const text = new TextDecoder().decode(bytes)
  if (!/^\s*</.test(text) || !/<svg[\s>]/.test(text)) return UNKNOWN
  if (/<!ENTITY|<!DOCTYPE[^<>[]*\[/i.test(text)) return ENTITIES
  const { root, css, whole, complex } = readTree(text)
  if (complex) return COMPLEX
  if (root?.name !== 'svg' || !whole) return DAMAGED
  const rules = readRules(css)
  const clean = rules && cleaned(root, rules)
  if (!clean || drawnParts(clean) > MOST_DRAWN) return COMPLEX
  const { box, ...size } = sizeOf(root.attributes)
  const { viewBox = box, ...rest } = clean.attributes
  clean.attributes = {
    xmlns: 'http://www.w3.org/2000/svg',
    ...rest,
    width: String(size.width),
    height: String(size.height),
    viewBox,
  }
  return { type: 'image/svg+xml', ...size, bytes: Buffer.from(written(clean)) }
}

interface Tree {
  root: Element | null
  /** The text of all style sheets. */
  css: string
  /** False if the file was cut off. */
  whole: boolean
  complex: boolean
}

/** The allowed elements, with all their attributes. */
function readTree(text: string): Tree {
  const open: Array<Element | null> = []
  const css: string[] = []
  let root: Element | null = null
  let [elements, complex, whole] = [0, false, false]
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        elements += 1
        complex ||= elements > MOST_ELEMENTS || open.length > MOST_DEPTH
        if (complex) return parser.pause()
        const parent = open.at(-1)
        const kept = GROUPS.has(name) ? 'g' : name
        const element = { name: kept, attributes, children: [] }
        const stays = (ELEMENTS.has(kept) || name === 'style') && parent !== null
        if (stays && !root) root = element
        else if (stays && parent && name !== 'style') parent.children.push(element)
        open.push(stays ? element : null)
      },
      ontext(words) {
        const parent = open.at(-1)
        if (parent?.name === 'style') css.push(words)
        else if (parent && TEXTS.has(parent.name)) parent.children.push(words)
      },
      onclosetag(_name, isImplied) {
        // Also implied by the end of the file.
        if (open.pop() === root && root) whole = !isImplied
      },
    },
    { xmlMode: true },
  )
  parser.end(text)
  return { root, css: css.join('\n'), whole, complex }
}

const TEXTS = new Set(['text', 'tspan', 'textPath', 'title', 'desc'])

function cleaned(element: Element, rules: Rules): Element {
  const { 'xlink:href': href, ...given } = element.attributes
  const styles = styleOf(rules, element.name, element.attributes)
  const all = [...Object.entries({ ...(href !== undefined && { href }), ...given }), ...styles]
  return {
    name: element.name,
    attributes: Object.fromEntries(all.filter(([name, value]) => ATTRIBUTES.has(name) && isSafe(name, value))),
    children: element.children.map((child) => (typeof child === 'string' ? child : cleaned(child, rules))),
  }
}

const ID = /^[\p{L}\p{N}_.:-]{1,200}$/u
const OWN_PART = /^url\(\s*(['"]?)#([\p{L}\p{N}_.:-]{1,200})\1\s*\)(?:\s+[\w#-]{1,40})?$/u

/** A value leads nowhere but to a part of the same picture. */
function isSafe(name: string, value: string): boolean {
  if (name === 'id') return ID.test(value)
  if (name === 'href') return value.startsWith('#') && ID.test(value.slice(1))
  if (/[\\@<>]|\/\*/.test(value)) return false
  return !/\(\s*['"a-z#]|url|:/i.test(value) || OWN_PART.test(value)
}

/** How many elements are drawn if each reference draws its target again. Infinite for a picture that holds itself. */
function drawnParts(root: Element): number {
  const byId = new Map<string, Element>()
  const known = new Map<Element, number>()
  const collect = (element: Element): void => {
    const { id } = element.attributes
    if (id !== undefined && !byId.has(id)) byId.set(id, element)
    for (const child of element.children) if (typeof child !== 'string') collect(child)
  }
  const count = (element: Element, depth: number): number => {
    const found = known.get(element)
    if (found !== undefined) return found
    if (depth > MOST_DEPTH) return Infinity
    // Met again before it is counted, it holds itself.
    known.set(element, Infinity)
    let sum = 1
    for (const value of Object.values(element.attributes)) {
      const target = byId.get(referenceIn(value) ?? '')
      if (target) sum += count(target, depth + 1)
    }
    for (const child of element.children) if (typeof child !== 'string') sum += count(child, depth + 1)
    known.set(element, sum)
    return sum
  }
  collect(root)
  return count(root, 0)
}

function referenceIn(value: string): string | null {
  return value.startsWith('#') ? value.slice(1) : (OWN_PART.exec(value)?.[2] ?? null)
}

const PIXELS: Record<string, number> = { '': 1, px: 1, pt: 4 / 3, pc: 16, mm: 96 / 25.4, cm: 96 / 2.54, in: 96, em: 16 }

interface SvgSize {
  /** In pixels. */
  width: number
  height: number
  /** The view box of a picture that states none. */
  box: string
}

/** The sides that the picture states, else those of its view box. They are only where a page begins, so they scale. */
function sizeOf({ width, height, viewBox = '' }: Record<string, string>): SvgSize {
  const [, , boxWidth = NaN, boxHeight = NaN] = viewBox
    .trim()
    .split(/[\s,]+/)
    .map(Number)
  const own = { width: sideOf(width), height: sideOf(height) }
  const drawn =
    boxWidth > 0 && boxHeight > 0
      ? {
          width: own.width ?? (own.height === null ? boxWidth : (own.height * boxWidth) / boxHeight),
          height: own.height ?? (own.width === null ? boxHeight : (own.width * boxHeight) / boxWidth),
        }
      : { width: own.width ?? DEFAULT_SIZE.width, height: own.height ?? DEFAULT_SIZE.height }
  const scale = Math.min(1, MOST_SIDE / Math.max(drawn.width, drawn.height))
  const scaled = (side: number) => Math.max(1, Math.round(side * scale))
  return { width: scaled(drawn.width), height: scaled(drawn.height), box: `0 0 ${drawn.width} ${drawn.height}` }
}

function sideOf(text: string | undefined): number | null {
  const [, digits = '', unit = ''] = /^\+?([\d.]{1,20}(?:e\+?\d{1,2})?)\s*([a-z]*)$/i.exec(text?.trim() ?? '') ?? []
  const side = Number(digits) * (PIXELS[unit.toLowerCase()] ?? NaN)
  return side > 0 && Number.isFinite(side) ? side : null
}

function written({ name, attributes, children }: Element): string {
  const own = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(value)}"`)
  const inner = children.map((child) => (typeof child === 'string' ? escaped(child) : written(child)))
  return inner.length > 0 ? `<${name}${own.join('')}>${inner.join('')}</${name}>` : `<${name}${own.join('')}/>`
}

/** Characters that XML 1.0 does not allow: https://www.w3.org/TR/xml/#NT-Char */
const NOT_XML = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu

function escaped(text: string): string {
  return text
    .replace(NOT_XML, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
