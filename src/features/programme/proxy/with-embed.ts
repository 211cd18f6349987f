import { Parser } from 'htmlparser2'
import { runInSlices } from '../../../platform/loop/turns.ts'

interface Page {
  url: string
  html: string
}

const SLICE = 16 * 1024
// The parser's work for each element grows with the open ones around it, and a head has five of them at most.
const MOST_DEPTH = 100
// The first other element ends the head (HTML, "The 'in head' insertion mode").
const HEAD = new Set(['html', 'head', 'title', 'base', 'meta', 'link', 'style', 'script', 'noscript', 'template'])

/** The page with a `<base>` for its relative links, and with the embed script, at the start of its head. */
export async function withEmbed({ url, html }: Page, embed: { src: string; surveyId: string }): Promise<string> {
  const { at, base } = await runInSlices(findHead(html))
  const added =
    `<base href="${attribute(baseOf(base, url))}">` +
    `<script async src="${attribute(embed.src)}" data-voc-survey="${attribute(embed.surveyId)}"></script>`
  return html.slice(0, at) + added + html.slice(at)
}

/** The place after `<head>`, else after `<html>`, else after the doctype. `base` is the page's own. */
function* findHead(html: string): Generator<undefined, { at: number; base: string | null }, undefined> {
  const found = { at: 0, base: null as string | null, done: false }
  let depth = 0
  const parser = new Parser({
    onprocessinginstruction(name) {
      if (name.toLowerCase() === '!doctype' && found.at === 0) found.at = parser.endIndex + 1
    },
    onopentag(name, { href }) {
      if (found.done) return
      if (name === 'html' || name === 'head') found.at = parser.endIndex + 1
      if (name === 'base' && href !== undefined) found.base ??= href
      depth += 1
      found.done = !HEAD.has(name) || depth > MOST_DEPTH
    },
    onclosetag(name) {
      depth -= 1
      found.done ||= name === 'head'
    },
  })
  for (let start = 0; start < html.length && !found.done; start += SLICE) {
    parser.write(html.slice(start, start + SLICE))
    yield
  }
  return found
}

function baseOf(own: string | null, url: string): string {
  const base = own !== null && URL.canParse(own, url) ? new URL(own, url) : null
  return base && /^https?:$/.test(base.protocol) ? base.href : url
}

function attribute(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
}
