/** A word, sign or parameter in lower case, or the content of a pair of parentheses. */
export type Token = string | Token[]

const SKIPPED = /\s+|--[^\n]*|\/\*[\s\S]*?\*\//y
const CAST = /\s*::\s*[a-z_][\w.]*(?:\s*\(\d+(?:,\d+)?\))?(?:\[\])*/iy
const TEXT = /[eE]?'(?:[^']|'')*'|\$([a-z_]*)\$[\s\S]*?\$\1\$/iy
const WORD = /\$\d+|(?:"[^"]+"|[a-z_]\w*)(?:\.(?:"[^"]+"|[a-z_]\w*|\*))*|\d[\w.]*|[()[\],;]|[^\s\w()[\],;'"$]+/iy

/** Splits SQL into nested tokens. Comments and casts are dropped, and a literal becomes `''`. */
export function parseTokens(text: string): Token[] {
  const root: Token[] = []
  const open: Token[][] = [root]
  let at = 0
  const take = (pattern: RegExp) => {
    pattern.lastIndex = at
    const match = pattern.exec(text)?.[0]
    if (match) at += match.length
    return match
  }
  while (at < text.length) {
    if (take(SKIPPED) || take(CAST)) continue
    const current = open.at(-1) ?? root
    if (take(TEXT)) current.push(`''`)
    else {
      const word = take(WORD)?.replaceAll('"', '').toLowerCase()
      if (word === undefined) throw new Error(`cannot read this SQL at ${text.slice(at, at + 20)}`)
      if (word === '(') {
        const group: Token[] = []
        current.push(group)
        open.push(group)
      } else if (word === ')') open.pop()
      else if (word !== ';') current.push(word)
    }
  }
  return root
}
