export interface Token {
  kind: 'name' | 'string' | 'number' | 'plain'
  text: string
}

// The rest of a longer text stays plain, so that no body fills the page with elements.
const MOST_TOKENS = 4_000
// An end of the text ends a text too. Each part begins differently, so no character is read twice.
const PART = /"(?:[^"\\]|\\[^]?)*(?:"|$)|-?\d[\d.eE+-]*|\b(?:true|false|null)\b/g
const COLON = /\s*:/y

/** The parts of JSON to colour. Joined they are the text, which may be cut off or no JSON at all. */
export function jsonTokens(json: string): Token[] {
  const tokens: Token[] = []
  let end = 0
  for (const { 0: text, index } of json.matchAll(PART)) {
    if (tokens.length >= MOST_TOKENS) break
    if (index > end) tokens.push({ kind: 'plain', text: json.slice(end, index) })
    end = index + text.length
    tokens.push({ kind: text.startsWith('"') ? (isName(json, end) ? 'name' : 'string') : 'number', text })
  }
  if (end < json.length) tokens.push({ kind: 'plain', text: json.slice(end) })
  return tokens
}

function isName(json: string, at: number): boolean {
  COLON.lastIndex = at
  return COLON.test(json)
}

/**
 * The place of the list of parts that a body leaves out, with its name. Null if nothing is left out. It is a member of
 * `data`; a member of that name anywhere else is somebody's own.
 */
export function omittedIn(body: string): { start: number; end: number } | null {
  let [depth, at] = [0, 0]
  let start: number | null = null
  let isEmpty = true
  for (const { kind, text } of jsonTokens(body)) {
    if (kind === 'name' && depth === 2 && text === '"omitted"') start = at
    else if (kind === 'string' && start !== null) isEmpty = false
    else if (kind === 'plain')
      for (const [place, sign] of [...text].entries()) {
        if (sign === '{' || sign === '[') depth += 1
        else if (sign === '}' || sign === ']') depth -= 1
        if (sign === ']' && start !== null) return isEmpty ? null : { start, end: at + place + 1 }
      }
    at += text.length
  }
  return null
}
