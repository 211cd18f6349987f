/** How a chart is drawn. `label` is the sentence that says the same. */
export interface Look {
  width: number
  /** Absent: the chart's own. */
  height?: number
  label: string
  /** Time, scales and bars run from right to left. */
  isRtl?: boolean
}

type Value = string | number | undefined

/** An element as text. Values and texts are escaped. */
export function element(name: string, attributes: Record<string, Value>, ...children: string[]): string {
  const given = Object.entries(attributes).filter((entry): entry is [string, string | number] => entry[1] !== undefined)
  const listed = given.map(([key, value]) => ` ${key}="${escaped(typeof value === 'number' ? tenths(value) : value)}"`)
  return `<${name}${listed.join('')}>${children.join('')}</${name}>`
}

export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}

function tenths(value: number): string {
  return String(Math.round(value * 10) / 10)
}

/** A whole chart. */
export function drawing({ width, label }: Look, height: number, parts: string[]): string {
  const box = `0 0 ${tenths(width)} ${tenths(height)}`
  return element(
    'svg',
    {
      class: 'chart',
      xmlns: 'http://www.w3.org/2000/svg',
      viewBox: box,
      role: 'img',
      'aria-label': label,
      direction: 'ltr',
    },
    ...parts,
  )
}

/** Places and boxes that run from right to left where the look does. */
export function across({ width, isRtl = false }: Look) {
  const at = (x: number) => (isRtl ? width - x : x)
  return {
    at,
    /** A box from `x`. */
    box: (x: number, y: number, w: number, h: number, name: string, round = 2) =>
      element('rect', {
        class: name,
        x: isRtl ? width - x - Math.max(0, w) : x,
        y,
        width: Math.max(0, w),
        height: Math.max(0, h),
        rx: round,
      }),
    text: (x: number, y: number, text: string, name = '', anchor: 'start' | 'middle' | 'end' = 'start') =>
      element(
        'text',
        { class: name === '' ? undefined : name, x: at(x), y, 'text-anchor': isRtl ? MIRRORED[anchor] : anchor },
        escaped(text),
      ),
  }
}

const MIRRORED = { start: 'end', middle: 'middle', end: 'start' } as const

/** The start of a text, if it is longer than a place. */
export function shortened(text: string, most: number): string {
  const letters = [...text]
  return letters.length <= most
    ? text
    : `${letters
        .slice(0, most - 1)
        .join('')
        .trimEnd()}…`
}
