import { redirectTarget } from '../../../platform/redirect-target.ts'
import { LONGEST_TRACKED } from './click-token.ts'

const LINK = /(<a\s(?:[^<>]*?\s)?href\s*=\s*)("[^"<>]*"|'[^'<>]*')/gi
const ENTITIES: Record<string, string> = {
  amp: '&',
  '#38': '&',
  quot: '"',
  '#34': '"',
  '#39': "'",
  apos: "'",
  lt: '<',
  gt: '>',
}

interface Tracking {
  baseUrl: string
  clickUrl(target: string): string
  pixelUrl: string
}

/** The HTML of a mail whose links lead by way of us, and whose last picture tells that it was opened. */
export function trackHtml(html: string, { baseUrl, clickUrl, pixelUrl }: Tracking): string {
  // Whoever wants to unsubscribe is not followed, and a link is not wrapped twice.
  const left = [`${baseUrl}/public/unsubscribe/`, `${baseUrl}/public/track/`]
  const linked = html.replace(LINK, (whole, before: string, quoted: string) => {
    const target = redirectTarget(decodeEntities(quoted.slice(1, -1).trim()))
    if (target === null || target.length > LONGEST_TRACKED || left.some((prefix) => target.startsWith(prefix)))
      return whole
    return `${before}"${clickUrl(target)}"`
  })
  const pixel = `<img src="${pixelUrl}" width="1" height="1" alt="" style="display:block;width:1px;height:1px;border:0">`
  const end = linked.search(/<\/body\s*>\s*(?:<\/html\s*>\s*)?$/i)
  return end === -1 ? linked + pixel : linked.slice(0, end) + pixel + linked.slice(end)
}

function decodeEntities(text: string): string {
  return text.replace(/&(amp|#38|quot|#34|#39|apos|lt|gt);/g, (_, name: string) => ENTITIES[name] ?? '')
}
