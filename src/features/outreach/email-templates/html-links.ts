import { readHtml, type Attribute } from './html-reader.ts'

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
