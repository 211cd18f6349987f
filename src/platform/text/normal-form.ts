// Characters below U+0300 have no marks.
const MAY_HAVE_MARKS = /[\u0300-\uffff]/
/** Unicode's stream-safe form has as many in a row at most (UAX #15). */
const MOST_MARKS = 30
// The last two are letters, and marks once they are taken apart. The signs after them become up to 18 letters.
const MARKS_OR_LONG = /[\p{M}\uff9e\uff9f]+|[\ufdfa\ufdfb]+/gu
const BECOMES_LONG = /[\ufdfa\ufdfb]/

/**
 * A text in a normal form of Unicode. Rows of marks that no language has stay as they are written: sorting the marks of
 * a row takes their number squared. So do the two signs that spell a sentence. The time and the result are linear.
 */
export function normalForm(text: string, form: 'NFC' | 'NFD' | 'NFKC' | 'NFKD'): string {
  return piecesOf(text)
    .map((piece) => (piece.stays ? piece.text : piece.text.normalize(form)))
    .join('')
}

/** A text in pieces: what stays as it is written, and what is between. @internal */
export function piecesOf(text: string): Array<{ text: string; stays: boolean }> {
  if (!MAY_HAVE_MARKS.test(text) || !mayHaveLongRow(text)) return [{ text, stays: false }]
  const pieces = []
  let end = 0
  for (const { 0: row, index } of text.matchAll(MARKS_OR_LONG)) {
    if (row.length <= MOST_MARKS && !BECOMES_LONG.test(row)) continue
    pieces.push({ text: text.slice(end, index), stays: false }, { text: row, stays: true })
    end = index + row.length
  }
  pieces.push({ text: text.slice(end), stays: false })
  return pieces
}

/** Much faster than to look for one. Halves of a pair count as marks. */
function mayHaveLongRow(text: string): boolean {
  weights ??= Uint8Array.from({ length: 0x10000 }, (_, code) => weightOf(code))
  let row = 0
  for (let at = 0; at < text.length && row <= MOST_MARKS; at += 1) {
    const weight = weights[text.charCodeAt(at)] ?? 0
    row = weight === 0 ? 0 : row + weight
  }
  return row > MOST_MARKS
}

let weights: Uint8Array | undefined

function weightOf(code: number): number {
  if (code < 0x300) return 0
  if (code >= 0xd800 && code <= 0xdfff) return 1
  const letter = String.fromCharCode(code)
  return BECOMES_LONG.test(letter) ? MOST_MARKS + 1 : /[\p{M}\uff9e\uff9f]/u.test(letter) ? 1 : 0
}
