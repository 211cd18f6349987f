import { escapeHtml } from './escape-html.ts'

const MARK = /\uE000(\d+)\uE001/g

// In each pattern no two parts that could take the same characters follow each other: it would try every split of a long run.
const ACTIVE =
  /<\s*(?:\/\s*)?(script|iframe|frame|frameset|object|embed|applet|base|form|input|button|textarea|select|svg|math|link|noscript|template|portal)(?=[\s/>]|$)/i
const TAG = /<[^<>]*>/g
const HANDLER = /[\s"'/]on[a-z]{3,}\s*=/i
const ADDRESS =
  /([\s"'/](?:href|src|srcset|action|formaction|background|poster|xlink:href)\s*=\s*)(?:"([^"]*)|'([^']*)|([^\s"'>]*))/gi
const ALLOWED = /^(?:https?:|mailto:|tel:|sms:|cid:|data:image\/(?:png|gif|jpeg|webp)[;,])/
const SCHEME = /^[a-z][a-z0-9+.-]*:/
const RUNS = /^(?:javascript|vbscript|livescript|file|blob|filesystem):|^data:(?!image\/(?:png|gif|jpeg|webp)[;,])/

/** What of a mail's HTML would run something, or lead elsewhere than to a page; null where nothing does. Refused, not taken out: nobody should wonder where it went. */
export function activeContent(source: string): string | null {
  const { text } = putAside(source)
  const element = ACTIVE.exec(text)?.[1]
  if (element) return `<${element.toLowerCase()}> is not possible in a mail.`
  for (const [tag] of text.matchAll(TAG)) {
    if (HANDLER.test(tag)) return 'Event handlers, such as onclick, are not possible in a mail.'
    if (/^<\s*meta\b/i.test(tag) && /http-equiv\s*=\s*(?:["']\s*)?refresh/i.test(tag))
      return 'A mail cannot forward to another page.'
    for (const [, , double, single, bare] of tag.matchAll(ADDRESS)) {
      const plain = plainAddress(double ?? single ?? bare ?? '')
      if (SCHEME.test(plain) && !ALLOWED.test(plain)) return 'A link begins with https:, http:, mailto:, tel: or sms:.'
    }
  }
  if (/(?:javascript|vbscript)\s*:|expression\s*\(|-moz-binding/i.test(decodeEntities(text).replace(/\p{Cc}/gu, '')))
    return 'Scripts are not possible in a mail.'
  return null
}

/** Takes the power from a link that a recipient's own data made; templates were looked at when they were stored. */
export function disarmLinks(html: string): string {
  return html.replace(ADDRESS, (whole, before: string, double?: string, single?: string, bare?: string) => {
    if (!RUNS.test(plainAddress(double ?? single ?? bare ?? ''))) return whole
    return `${before}${double === undefined ? (single === undefined ? '' : "'") : '"'}#`
  })
}

// As a browser reads it: without the white space and control characters, wherever they stand.
function plainAddress(value: string): string {
  return decodeEntities(value)
    .replace(/[\s\p{Cc}]/gu, '')
    .toLowerCase()
}

/** Whether a link in the HTML, not just a comment, leads to `url`. */
export function linksTo(html: string, url: string): boolean {
  const shown = withoutComments(html)
  const escaped = escapeHtml(url)
  return shown.includes(`href="${escaped}"`) || shown.includes(`href='${escaped}'`) || shown.includes(`href=${escaped}`)
}

const BREAKS = /^(?:address|article|blockquote|div|dl|dt|dd|footer|h[1-6]|header|hr|ol|p|pre|section|table|tr|ul)$/

/** The same words without their looks, Liquid included: what becomes the text part where none was written. */
export function textFromHtml(source: string): string {
  const { text, aside } = putAside(dropBlocks(withoutComments(source)))
  const out: string[] = []
  // Links do not nest, so one that begins inside another ends it.
  let link: { href: string; from: number } | null = null
  let at = 0
  for (const match of text.matchAll(TAG)) {
    out.push(text.slice(at, match.index).replace(/\s+/g, ' '))
    at = match.index + match[0].length
    const [, closing = '', name = ''] = /^<\s*(?:(\/)\s*)?([a-z][a-z0-9]*)/i.exec(match[0]) ?? []
    const element = name.toLowerCase()
    if (element === 'a' && closing === '') link = { href: attribute(match[0], 'href'), from: out.length }
    else if (element === 'a') {
      const label = link ? out.slice(link.from).join('').trim() : ''
      if (link?.href && label !== link.href) out.push(label === '' ? link.href : ` (${link.href})`)
      link = null
    } else if (element === 'br') out.push('\n')
    else if (element === 'li') out.push(closing ? '' : '\n- ')
    else if (element === 'img') out.push(attribute(match[0], 'alt'))
    else if (element === 'td' || element === 'th') out.push(' ')
    else if (BREAKS.test(element)) out.push(/^(?:p|h[1-6]|table|ul|ol|blockquote)$/.test(element) ? '\n\n' : '\n')
  }
  out.push(text.slice(at).replace(/\s+/g, ' '))
  return decodeEntities(out.join(''))
    .replace(/[ \t]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
    .replace(MARK, (_, n: string) => aside[Number(n)] ?? '')
}

// Liquid in HTML, put aside while the HTML is looked at: it may hold quotes and angle brackets of its own. The end is searched
// for, because a pattern would look for one that does not come again from each beginning.
function putAside(source: string): { text: string; aside: string[] } {
  const clean = source.replace(/[\uE000\uE001]/g, '')
  const aside: string[] = []
  const opening = /\{[{%]/g
  let text = ''
  let at = 0
  for (;;) {
    opening.lastIndex = at
    const found = opening.exec(clean)
    const from = found?.index ?? -1
    const to = found ? clean.indexOf(found[0] === '{{' ? '}}' : '%}', from + 2) : -1
    if (to === -1) return { text: text + clean.slice(at), aside }
    text += `${clean.slice(at, from)}\uE000${aside.push(clean.slice(from, to + 2)) - 1}\uE001`
    at = to + 2
  }
}

function withoutComments(source: string): string {
  return cut(source, '<!--', '-->')
}

function dropBlocks(source: string): string {
  return ['head', 'style', 'title'].reduce((text, name) => cut(text, `<${name}`, `</${name}>`), source)
}

// Everything from a beginning to its end. By search, for a pattern would look for the end again from each beginning.
function cut(source: string, begin: string, end: string): string {
  // Of ASCII alone, for the places stay the same: in lower case the Turkish İ is two characters.
  const lower = source.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
  let kept = ''
  let at = 0
  for (;;) {
    const from = lower.indexOf(begin, at)
    // `<header` is no `<head`.
    if (from !== -1 && begin !== '<!--' && /[a-z0-9]/.test(lower[from + begin.length] ?? '')) {
      kept += source.slice(at, from + begin.length)
      at = from + begin.length
      continue
    }
    const to = from === -1 ? -1 : lower.indexOf(end, from)
    if (to === -1) return kept + source.slice(at)
    kept += source.slice(at, from)
    at = to + end.length
  }
}

function attribute(tag: string, name: string): string {
  const found = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s>]+))`, 'i').exec(tag)
  return (found?.[1] ?? found?.[2] ?? found?.[3] ?? '').trim()
}

const ENTITIES: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  copy: '©',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  colon: ':',
  tab: '',
  newline: '',
}

function decodeEntities(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,8}));?/gi,
    (whole, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? whole
      const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
      return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) ? String.fromCodePoint(code) : ''
    },
  )
}
