import { startSlices } from '../../platform/loop/turns.ts'

const PIECE = 128 * 1024

/**
 * An answer as `JSON.stringify` writes it, in pieces if it is large. The items of a list are written one at a time, and
 * the event loop turns between them: a page may hold a hundred responses of 200 KB.
 */
export async function writeAnswer(answer: object): Promise<string | Buffer[]> {
  const slices = startSlices()
  const pieces: Buffer[] = []
  let text = ''
  for (const written of partsOf(answer)) {
    text += written
    if (text.length >= PIECE) {
      pieces.push(Buffer.from(text))
      text = ''
    }
    if (slices.isOver()) await slices.next()
  }
  if (pieces.length === 0) return text
  return [...pieces, Buffer.from(text)]
}

function* partsOf(answer: object): Generator<string> {
  if (Array.isArray(answer)) return yield* itemsOf(answer)
  let separator = '{'
  for (const [name, value] of Object.entries(answer)) {
    if (value === undefined) continue
    yield `${separator}${JSON.stringify(name)}:`
    if (Array.isArray(value)) yield* itemsOf(value)
    else yield JSON.stringify(value)
    separator = ','
  }
  yield separator === '{' ? '{}' : '}'
}

function* itemsOf(items: unknown[]): Generator<string> {
  let separator = '['
  for (const item of items) {
    yield `${separator}${JSON.stringify(item) ?? 'null'}`
    separator = ','
  }
  yield separator === '[' ? '[]' : ']'
}
