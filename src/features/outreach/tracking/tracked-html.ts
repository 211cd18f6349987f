import { redirectTarget } from '../../../platform/look/redirect-target.ts'
import { editHtml, readHtml, type Attribute, type Edit } from '../email-templates/html-reader.ts'
import { LONGEST_TRACKED } from './click-token.ts'

interface Tracking {
  baseUrl: string
  clickUrl(target: string): string
  pixelUrl: string
}

/** Leads the links of a mail through our server, and adds a picture at its end that shows when the mail is opened. */
export function trackHtml(html: string, { baseUrl, clickUrl, pixelUrl }: Tracking): string {
  // Nobody is followed who wants to unsubscribe, and no link is led through us twice.
  const left = [`${baseUrl}/public/unsubscribe/`, `${baseUrl}/public/track/`]
  const edits: Edit[] = []
  const lead = ({ element, name, value, quoting, from, to }: Attribute, offset = 0) => {
    if (element !== 'a' || name !== 'href' || quoting === 'open') return
    const target = redirectTarget(value.trim())
    if (target === null || target.length > LONGEST_TRACKED || left.some((prefix) => target.startsWith(prefix))) return
    const quote = quoting === 'quoted' ? 1 : 0
    edits.push({ from: offset + from - quote, to: offset + to + quote, text: `"${clickUrl(target)}"` })
  }
  readHtml(html, {
    attribute: (attribute) => lead(attribute),
    // Outlook shows the contents of conditional comments.
    comment: (content, from) => readHtml(content, { attribute: (attribute) => lead(attribute, from) }),
  })
  const linked = editHtml(html, edits)
  const pixel = `<img src="${pixelUrl}" width="1" height="1" alt="" style="display:block;width:1px;height:1px;border:0">`
  const end = linked.search(/<\/body\s*>\s*(?:<\/html\s*>\s*)?$/i)
  return end === -1 ? linked + pixel : linked.slice(0, end) + pixel + linked.slice(end)
}
