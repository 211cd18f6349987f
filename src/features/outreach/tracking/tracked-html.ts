import { mapInSlices } from '../../../platform/loop/turns.ts'
import { redirectTarget } from '../../../platform/look/redirect-target.ts'
import { type HtmlLink, editHtml, type Edit } from '../email-templates/html-reader.ts'
import { LONGEST_TRACKED } from './click-token.ts'

interface Tracking {
  baseUrl: string
  clickUrl(target: string): string
  pixelUrl: string
}

/** Leads the links of a mail through our server, and adds a picture at its end that shows when the mail is opened. */
export async function trackHtml(
  { html, links }: { html: string; links: HtmlLink[] },
  { baseUrl, clickUrl, pixelUrl }: Tracking,
): Promise<string> {
  // Nobody is followed who wants to unsubscribe, and no link is led through us twice.
  const left = [`${baseUrl}/public/unsubscribe/`, `${baseUrl}/public/track/`]
  const edits = await mapInSlices(links, ({ address, from, to }): Edit[] => {
    const target = redirectTarget(address)
    if (target === null || target.length > LONGEST_TRACKED || left.some((prefix) => target.startsWith(prefix)))
      return []
    return [{ from, to, text: `"${clickUrl(target)}"` }]
  })
  const linked = editHtml(html, edits.flat())
  const pixel = `<img src="${pixelUrl}" width="1" height="1" alt="" style="display:block;width:1px;height:1px;border:0">`
  const end = linked.search(/<\/body\s*>\s*(?:<\/html\s*>\s*)?$/i)
  return end === -1 ? linked + pixel : linked.slice(0, end) + pixel + linked.slice(end)
}
