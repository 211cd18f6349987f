import { Parser } from 'htmlparser2'

// Where browsers look for the name of an encoding (HTML, "Determining the character encoding").
const LOOK_AT = 1024
const NAMED = /charset\s*=\s*["']?([\w.:-]+)/i

/** The encoding of a page: of its header, else of its `<meta>`, else UTF-8. */
export function charsetOf(contentType: string, page: Buffer): string {
  return (
    [NAMED.exec(contentType)?.[1], metaCharset(page)].find((name) => name !== undefined && isKnown(name)) ?? 'utf-8'
  )
}

function metaCharset(page: Buffer): string | undefined {
  let found: string | undefined
  const parser = new Parser({
    onopentag(name, { charset, content }) {
      if (name === 'meta') found ??= charset ?? NAMED.exec(content ?? '')?.[1]
    },
  })
  parser.end(page.subarray(0, LOOK_AT).toString('latin1'))
  return found
}

function isKnown(name: string): boolean {
  try {
    new TextDecoder(name)
    return true
  } catch {
    return false
  }
}
