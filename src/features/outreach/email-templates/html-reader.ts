import { QuoteType, Tokenizer } from 'htmlparser2'

/** An attribute as a browser reads it. The value stands in the source from `from` to `to`, its quotes excluded. */
export interface Attribute {
  element: string
  name: string
  value: string
  /** `none`: the attribute has no value. `open`: its quote never closes. */
  quoting: 'none' | 'bare' | 'quoted' | 'open'
  from: number
  to: number
}

/** The parts of an HTML document in their order. Names are in lower case, entities are decoded. */
export interface HtmlEvents {
  open?(element: string): void
  attribute?(attribute: Attribute): void
  close?(element: string): void
  text?(text: string): void
  comment?(content: string, from: number): void
}

/** Reads the document once, as a browser does. Flat, because the stack of a tree costs n² for tags in each other. */
export function readHtml(html: string, events: HtmlEvents): void {
  createReader(events)(html)
}

/**
 * Reads whatever follows a `<` as attributes, also within a comment, a style or another value, and in a closing tag.
 * Mail programs differ in where a tag begins: Outlook reads comments.
 */
export function readAnyTag(html: string, attribute: (attribute: Attribute) => void): void {
  const read = createReader({ attribute })
  const opening = '<any '
  for (let at = html.indexOf('<'); at !== -1;) {
    const next = html.indexOf('<', at + 1)
    const tag = html.slice(at + 1, next === -1 ? html.length : next)
    if (tag.includes('=')) read(opening + tag, at + 1 - opening.length)
    at = next
  }
}

export interface Edit {
  from: number
  to: number
  text: string
}

/** The source with each edit made, and nothing else changed. Of edits that overlap, the first and longest is made. */
export function editHtml(html: string, edits: Edit[]): string {
  let edited = ''
  let at = 0
  for (const { from, to, text } of edits.toSorted((a, b) => a.from - b.from || b.to - a.to)) {
    if (from < at) continue
    edited += html.slice(at, from) + text
    at = to
  }
  return edited + html.slice(at)
}

const EQUALS = /[ \t\n\f\r]*=[ \t\n\f\r]*["']?/y

function createReader(events: HtmlEvents): (html: string, offset?: number) => void {
  let source = ''
  let offset = 0
  let element = ''
  let text = ''
  let value = ''
  let name: { from: number; to: number } | null = null

  function endText(): void {
    if (text !== '') events.text?.(text)
    text = ''
  }
  function endAttribute(quoting: Attribute['quoting'], end: number): void {
    if (!name) return
    EQUALS.lastIndex = name.to
    const from = quoting !== 'none' && EQUALS.test(source) ? EQUALS.lastIndex : end
    events.attribute?.({
      element,
      name: source.slice(name.from, name.to).toLowerCase(),
      value,
      quoting,
      from: from + offset,
      to: end + offset,
    })
    value = ''
    name = null
  }
  function endComment(from: number, end: number): void {
    endText()
    events.comment?.(source.slice(from, end), from + offset)
  }

  const tokenizer = new Tokenizer(
    {},
    {
      ontext(from, end) {
        if (events.text) text += source.slice(from, end)
      },
      ontextentity(codePoint) {
        if (events.text) text += String.fromCodePoint(codePoint)
      },
      onopentagname(from, end) {
        endText()
        element = source.slice(from, end).toLowerCase()
        events.open?.(element)
      },
      onattribname: (from, to) => void (name = { from, to }),
      onattribdata: (from, end) => void (value += source.slice(from, end)),
      onattribentity: (codePoint) => void (value += String.fromCodePoint(codePoint)),
      onattribend(quote, end) {
        if (quote === QuoteType.NoValue) endAttribute('none', end)
        else if (quote === QuoteType.Unquoted) endAttribute('bare', end)
        else endAttribute('quoted', end - 1)
      },
      onopentagend() {},
      onselfclosingtag() {},
      onclosetag(from, end) {
        endText()
        events.close?.(source.slice(from, end).toLowerCase())
      },
      oncomment: endComment,
      oncdata: endComment,
      ondeclaration: endText,
      onprocessinginstruction: endText,
      onend() {
        endAttribute('open', source.length - 1)
        endText()
      },
    },
  )
  return (html, startsAt = 0) => {
    // The tokenizer drops a name or an entity at the very end. A space completes it.
    source = `${html} `
    offset = startsAt
    tokenizer.reset()
    tokenizer.write(source)
    tokenizer.end()
  }
}

/** More would make tracking one mail as much work as sending a hundred. */
export const MOST_LINKS = 500

/** The address of a link, and where it is in the HTML, its quotes included. */
export interface HtmlLink {
  address: string
  from: number
  to: number
}

/** Every `<a href>`, also those in conditional comments, whose contents Outlook shows. */
export function linksIn(html: string): HtmlLink[] {
  const links: HtmlLink[] = []
  const add = ({ element, name, value, quoting, from, to }: Attribute, offset = 0) => {
    if (element !== 'a' || name !== 'href' || quoting === 'open') return
    const quote = quoting === 'quoted' ? 1 : 0
    links.push({ address: value.trim(), from: offset + from - quote, to: offset + to + quote })
  }
  readHtml(html, {
    attribute: (attribute) => add(attribute),
    comment: (content, from) => readHtml(content, { attribute: (attribute) => add(attribute, from) }),
  })
  return links
}
