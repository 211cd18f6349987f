import { readHtml } from './html-reader.ts'
import { putLiquidAside } from './html-safety.ts'

/** The words of a mail without their looks, Liquid included. This is the text part where the author wrote none. */
export function textFromHtml(source: string): string {
  const { html, putBack } = putLiquidAside(source)
  const out: string[] = []
  const hiddenFrom = new Map<string, number>()
  // Links do not nest: one that begins inside another ends it.
  let link: { href: string; from: number } | null = null

  function endLink(): void {
    const label = link ? out.slice(link.from).join('').trim() : ''
    if (link?.href && label !== link.href) out.push(label === '' ? link.href : ` (${link.href})`)
    link = null
  }
  readHtml(html, {
    text: (text) => out.push(text.replace(/\s+/g, ' ')),
    open(element) {
      if (HIDDEN.has(element) && !hiddenFrom.has(element)) hiddenFrom.set(element, out.length)
      if (element === 'a') link = { href: '', from: out.length }
      out.push(element === 'li' ? '\n- ' : breakAt(element))
    },
    attribute({ element, name, value }) {
      if (element === 'img' && name === 'alt') out.push(value.trim())
      if (element === 'a' && name === 'href' && link) link.href ||= value.trim()
    },
    close(element) {
      out.length = Math.min(out.length, hiddenFrom.get(element) ?? out.length)
      hiddenFrom.delete(element)
      if (element === 'a') endLink()
      out.push(breakAt(element))
    },
  })
  const text = out
    .join('')
    .replace(/[ \t]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
  return putBack(text)
}

const HIDDEN = new Set(['head', 'style', 'title'])
const CELLS = new Set(['td', 'th'])
const LINES = new Set([
  'br',
  'address',
  'article',
  'div',
  'dl',
  'dt',
  'dd',
  'footer',
  'header',
  'hr',
  'pre',
  'section',
  'tr',
])
const PARAGRAPHS = new Set(['blockquote', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'ol', 'p', 'table', 'ul'])

function breakAt(element: string): string {
  if (PARAGRAPHS.has(element)) return '\n\n'
  if (LINES.has(element)) return '\n'
  return CELLS.has(element) ? ' ' : ''
}
