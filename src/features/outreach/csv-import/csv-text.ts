import { isUtf8 } from 'node:buffer'
import { nextTurn } from '../../../platform/loop/turns.ts'
import { countLetters } from './windows-letters.ts'

const SAVE_AS = 'Save it as CSV UTF-8, in Excel by “Save as”, and send that file.'
const NO_CSV = `This is a workbook or another document, not a CSV. ${SAVE_AS}`
const NO_TEXT = `This is not a text file. ${SAVE_AS}`
export const UNREADABLE_LETTERS = `The letters of this file cannot be read. ${SAVE_AS}`
export const BROKEN = `This is not a CSV: a quote is not closed, or stands in a cell without quotes. ${SAVE_AS}`

// How XLSX, ODS and Numbers begin, then PDF, the old XLS, and gzip.
const DOCUMENTS = ['PK', '%PDF', '\xd0\xcf\x11\xe0', '\x1f\x8b']
// Pages that are named .xls, RTF and JSON.
const MARKUP = /^\s*[<{[]/
const LONGEST_HEAD = 16 * 1024
const MOST_BYTES_OF_CHARACTER = 4
const SLICE = 8 * 1024
const TURN = 1024 * 1024
const DELIMITERS = [',', ';', '\t', '|']
// Excel writes this line for itself. It may be in quotes.
const SEPARATOR = /^"?sep=([!#-/:-@[-^`{-~\t])"?[,;\t| ]*(?:\r\n|\n|\r)/i

/** A file of text, without the mark of its encoding, a `sep=` line, and the empty cells and lines at its end. */
export interface CsvText {
  delimiter: string
  /** The line that names the columns, without empty cells at its end. */
  head: string
  /** Lines before the text, which editors count. */
  skipped: number
  /** Parts in UTF-8. @throws UnreadableError */
  slices(): Generator<Uint8Array | string>
}

export class UnreadableError extends Error {}

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'
const READ: readonly string[] = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] satisfies Encoding[]
const isRead = (name: string): name is Encoding => READ.includes(name)

/**
 * Reads CSV as spreadsheets write it: UTF-8, UTF-16 or Windows-1252.
 * @param contentType counts by its `charset`.
 * @throws UnreadableError saying what to do.
 */
export async function openCsvText(bytes: Uint8Array, contentType: string): Promise<CsvText> {
  const begin = Buffer.from(bytes.subarray(0, 8)).toString('latin1')
  if (DOCUMENTS.some((sign) => begin.startsWith(sign))) throw new UnreadableError(NO_CSV)
  const { encoding, mark } = encodingOf(bytes, declaredEncoding(contentType))
  const width = encoding.startsWith('utf-16') ? 2 : 1
  if (width === 1 && bytes.includes(0)) throw new UnreadableError(NO_TEXT)
  const decoder = new TextDecoder(encoding)
  const limit = mark + MOST_BYTES_OF_CHARACTER * (LONGEST_HEAD + 1)
  const first = decoder.decode(bytes.subarray(mark, limit))
  if (MARKUP.test(first)) throw new UnreadableError(NO_CSV)
  const [line = '', separator] = SEPARATOR.exec(first) ?? []
  const lines = first.slice(line.length).split(/\r\n|\n|\r/)
  const named = lines.find((one) => one.trim() !== '') ?? ''
  const isCut = bytes.length > limit && named === lines.at(-1)
  const delimiter = separator ?? guessDelimiter(named)
  const head = isCut ? named : withoutEnd(named, delimiter)
  const from = mark + width * line.length
  const text = bytes.subarray(
    from,
    await endOf(bytes, { from, width, delimiter, isBigEndian: encoding === 'utf-16be' }),
  )
  return { delimiter, head, skipped: line === '' ? 0 : 1, slices: () => slicesOf(text, encoding) }
}

/** Null without a `charset`. ISO-8859-1 means Windows-1252, as in browsers. */
function declaredEncoding(contentType: string): Encoding | null {
  const [, label] = /;\s*charset\s*=\s*["']?([^\s;"',]+)/i.exec(contentType) ?? []
  if (label === undefined) return null
  let encoding = ''
  try {
    encoding = new TextDecoder(label).encoding
  } catch {}
  if (isRead(encoding)) return encoding
  throw new UnreadableError(`The declared charset is none of ${READ.join(', ')}. ${SAVE_AS}`)
}

function encodingOf(bytes: Uint8Array, declared: Encoding | null): { encoding: Encoding; mark: number } {
  const [a, b, c] = bytes
  if (a === 0xff && b === 0xfe) return { encoding: 'utf-16le', mark: 2 }
  if (a === 0xfe && b === 0xff) return { encoding: 'utf-16be', mark: 2 }
  if (a === 0xef && b === 0xbb && c === 0xbf) {
    if (!isUtf8(bytes)) throw new UnreadableError(UNREADABLE_LETTERS)
    return { encoding: 'utf-8', mark: 3 }
  }
  if (declared === 'utf-8' && !isUtf8(bytes)) throw new UnreadableError(UNREADABLE_LETTERS)
  if (declared === 'utf-8' || declared === 'utf-16be' || declared === 'windows-1252')
    return { encoding: declared, mark: 0 }
  // Without a mark: names of columns are ASCII, so every other byte is zero.
  if (bytes.length % 2 === 0 && b === 0 && a !== 0) return { encoding: 'utf-16le', mark: 0 }
  if (bytes.length % 2 === 0 && a === 0 && b !== 0) return { encoding: 'utf-16be', mark: 0 }
  if (declared) return { encoding: declared, mark: 0 }
  return { encoding: isUtf8(bytes) ? 'utf-8' : 'windows-1252', mark: 0 }
}

/** The sign that is most often in the line that names the columns. Those in quotes do not count. */
function guessDelimiter(head: string): string {
  const bare = head.replace(/"[^"]*"/g, '')
  const counts = DELIMITERS.map((sign) => bare.split(sign).length)
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ','
}

function withoutEnd(line: string, delimiter: string): string {
  let end = line.length
  while (end > 0 && (line[end - 1] === delimiter || line[end - 1] === ' ')) end -= 1
  return line.slice(0, end)
}

async function endOf(
  bytes: Uint8Array,
  { from, width, delimiter, isBigEndian }: { from: number; width: number; delimiter: string; isBigEndian: boolean },
): Promise<number> {
  const sign = delimiter.charCodeAt(0)
  const low = isBigEndian || width === 1 ? 1 : 2
  let end = bytes.length
  for (; end - width >= from; end -= width) {
    const byte = bytes[end - low]
    // Programs of DOS end a file with 0x1a.
    if (byte !== 0x1a && byte !== 0x0a && byte !== 0x0d && byte !== 0x09 && byte !== 0x20 && byte !== sign) break
    if (width === 2 && bytes[end + low - 3] !== 0) break
    if (end % TURN < width) await nextTurn()
  }
  return end
}

function* slicesOf(text: Uint8Array, encoding: string): Generator<Uint8Array | string> {
  const letters = encoding === 'windows-1252' ? countLetters() : null
  const decoder = encoding === 'utf-8' ? null : new TextDecoder(encoding, { fatal: true, ignoreBOM: true })
  for (let at = 0; at < text.length; at += SLICE) {
    const slice = text.subarray(at, at + SLICE)
    letters?.add(slice)
    if (!decoder) yield slice
    else yield decode(decoder, slice, at + SLICE < text.length)
  }
  if (letters?.areOfAnotherEncoding()) throw new UnreadableError(UNREADABLE_LETTERS)
}

function decode(decoder: InstanceType<typeof TextDecoder>, slice: Uint8Array, stream: boolean): string {
  let text: string
  try {
    text = decoder.decode(slice, { stream })
  } catch {
    throw new UnreadableError(UNREADABLE_LETTERS)
  }
  if (text.includes('\0')) throw new UnreadableError(NO_TEXT)
  return text
}
