import { editHtml, readAnyTag, readHtml, type Attribute, type Edit } from './html-reader.ts'

/**
 * Says why a mail's HTML would run something or lead elsewhere than to a page; null where it is safe. Such HTML is
 * refused and not cleaned, so that nobody wonders where a part of it went.
 */
export function activeContent(source: string): string | null {
  const { html } = putLiquidAside(source)
  const element = ELEMENT.exec(html)?.[1]
  if (element) return `<${element.toLowerCase()}> is not allowed in a mail.`
  let reason = mentionsHandler(html) ? HANDLER_REFUSED : null
  const look = (attribute: Attribute) => void (reason ??= attributeRefused(attribute))
  readHtml(html, { attribute: look })
  readAnyTag(html, look)
  return reason ?? (mentionsScript(html) ? 'Scripts are not allowed in a mail.' : null)
}

/** Takes the power from a link that a recipient's own data made. Templates were checked when they were stored. */
export function disarmLinks(html: string): string {
  if (!DOUBTFUL.test(html)) return html
  const edits: Edit[] = []
  const look = ({ name, value, from, to }: Attribute) => {
    if (ADDRESSES.has(name) && RUNS.test(plainAddress(value))) edits.push({ from, to, text: '#' })
  }
  readHtml(html, { attribute: look })
  readAnyTag(html, look)
  return editHtml(html, edits)
}

/** Whether the HTML holds a link to `url` that a reader can click. */
export function linksTo(html: string, url: string): boolean {
  let found = false
  readHtml(html, {
    attribute({ element, name, value }) {
      found ||= name === 'href' && value === url && (element === 'a' || element === 'area')
    },
  })
  return found
}

// No mail needs these words. They are searched for in comments and values as well, because mail programs differ.
const ELEMENT =
  /<\s*(?:\/\s*)?(script|iframe|frame|frameset|object|embed|applet|base|form|input|button|textarea|select|svg|math|link|noscript|template|portal)(?=[\s/>]|$)/i
const TAG = /<[^<>]*>/g
const HANDLER = /[\s"'/]on[a-z]{3,}\s*=/i
const SCRIPT = /(?:javascript|vbscript)\s*:|expression\s*\(|-moz-binding/i
const HANDLER_REFUSED = 'Event handlers, such as onclick, are not allowed in a mail.'

const ADDRESSES = new Set(['href', 'src', 'srcset', 'action', 'formaction', 'background', 'poster', 'xlink:href'])
const ALLOWED = /^(?:https?:|mailto:|tel:|sms:|cid:|data:image\/(?:png|gif|jpeg|webp)[;,])/
// Most letters hold no other address than these, and need no reading.
const DOUBTFUL = /(?:href|src|srcset|action|background|poster)\s*=(?!\s*["']?(?:https?|mailto|tel|sms|cid):)/i
const SCHEME = /^[a-z][a-z0-9+.-]*:/
const RUNS = /^(?:javascript|vbscript|livescript|file|blob|filesystem):|^data:(?!image\/(?:png|gif|jpeg|webp)[;,])/

function mentionsHandler(html: string): boolean {
  for (const [tag] of html.matchAll(TAG)) if (HANDLER.test(tag)) return true
  return false
}

function mentionsScript(html: string): boolean {
  let found = false
  // Without its tags the HTML is one text, whose entities are all decoded.
  readHtml(html.replaceAll('<', ' '), { text: (text) => void (found = SCRIPT.test(plain(text))) })
  return found
}

function attributeRefused({ name, value, quoting }: Attribute): string | null {
  if (/^on[a-z]{3,}$/.test(name) && quoting !== 'none') return HANDLER_REFUSED
  if (name === 'http-equiv' && /^\s*refresh/i.test(value))
    return 'A mail cannot forward to another page. Remove the refresh.'
  if (!ADDRESSES.has(name)) return null
  const address = plainAddress(value)
  if (!SCHEME.test(address) || ALLOWED.test(address)) return null
  return 'A link must begin with https:, http:, mailto:, tel: or sms:.'
}

// Browsers skip white space and control characters in an address, wherever they stand.
function plainAddress(value: string): string {
  return plain(value).replace(/\s/g, '').toLowerCase()
}

// A null character written as an entity is decoded as U+FFFD.
function plain(text: string): string {
  return text.replace(/[\p{Cc}\uFFFD]/gu, '')
}

const MARK = /\uE000(\d+)\uE001/g

/** Replaces Liquid by marks while the HTML is read, because it may hold quotes and angle brackets of its own. */
export function putLiquidAside(source: string): { html: string; putBack(text: string): string } {
  const clean = source.replace(/[\uE000\uE001]/g, '')
  const aside: string[] = []
  const opening = /\{[{%]/g
  let html = ''
  let at = 0
  for (;;) {
    opening.lastIndex = at
    const found = opening.exec(clean)
    const from = found?.index ?? -1
    // Searched, because a pattern would look for a missing end again from each beginning.
    const to = found ? clean.indexOf(found[0] === '{{' ? '}}' : '%}', from + 2) : -1
    if (to === -1) break
    html += `${clean.slice(at, from)}\uE000${aside.push(clean.slice(from, to + 2)) - 1}\uE001`
    at = to + 2
  }
  return {
    html: html + clean.slice(at),
    putBack: (text) => text.replace(MARK, (_, n: string) => aside[Number(n)] ?? ''),
  }
}

const ESCAPED: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&#34;', "'": '&#39;' }

/** Leaves entities as they are, so that a text that passed here twice reads the same. */
export function escapeHtml(value: unknown): string {
  const text = value === null || value === undefined ? '' : Array.isArray(value) ? value.join('') : String(value)
  return text.replace(/&(?!(?:amp|lt|gt|#34|#39);)|[<>"']/g, (character) => ESCAPED[character] ?? '')
}
