const ESCAPES = /\\(?:u([0-9a-f]{4})|.)/gi

/** JSON as its reader sees it. A text may be cut anywhere, so it is not parsed. */
export function withoutEscapes(text: string): string {
  return text.replace(ESCAPES, (_, code?: string) => (code ? String.fromCharCode(Number.parseInt(code, 16)) : ' '))
}
