/** Turns control characters and line ends into spaces, because a name is used in headers and spoken text. */
export function oneLine(text: string): string {
  return text
    .replace(/[\p{Cc}\u2028\u2029]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}
