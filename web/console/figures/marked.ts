/** A piece of a text, and whether a search looks for it. */
export interface Piece {
  text: string
  isFound: boolean
}

const SHORTEST_STEM = 4

/**
 * Marks the words that a search looks for. The server finds other forms of a word too, so the beginning of one is
 * enough.
 */
export function marked(text: string, search: string): Piece[] {
  const wanted = search
    .toLowerCase()
    .split(/[\s"]+/)
    .filter((word) => word !== '' && word !== 'or' && !word.startsWith('-'))
    .map((word) => word.replace(/\*$/, ''))
    .filter((word) => word !== '')
  if (wanted.length === 0) return [{ text, isFound: false }]
  const isWanted = (word: string) =>
    wanted.some((each) => word.startsWith(each) || (word.length >= SHORTEST_STEM && each.startsWith(word)))
  return text
    .split(/([\p{L}\p{N}]+)/u)
    .filter((piece) => piece !== '')
    .map((piece) => ({ text: piece, isFound: /^[\p{L}\p{N}]/u.test(piece) && isWanted(piece.toLowerCase()) }))
}
