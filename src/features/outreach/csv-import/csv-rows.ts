import { pipeline } from 'node:stream/promises'
import { parse } from 'csv-parse'
import { composed } from '../../../platform/text/composed.ts'
import { unguarded } from '../../../platform/text/formula-guard.ts'
import { nextTurn, startSlices } from '../../../platform/loop/turns.ts'
import { BROKEN, openCsvText, UnreadableError, type CsvText } from './csv-text.ts'
import type { Issue } from '../../../http/problems/problem.ts'

const LONGEST_HEAD = 16 * 1024
// A dozen columns of our own and the 100 fields that a workspace may name, with room for unknown ones.
const MOST_COLUMNS = 200
// A person may have 100 attributes of 1,000 characters.
const LONGEST_LINE = 1024 * 1024
// As many values as a JSON body holds with their names. Each takes 100 bytes of memory.
const MOST_CELLS = 500_000
// Spreadsheets write empty columns after the last, at most 16,384. A line of more cells is read in one step.
const MOST_SIGNS = 200_000
// Longer than any field may be. It is refused by the field, so it is not worth reading.
const LONGEST_CELL = 10_000
const MOST_ISSUES = 20
const HEAD_TOO_LONG = `The first line can have at most ${LONGEST_HEAD} characters.`

interface Columns {
  known: readonly string[]
  /** Columns of our exports that this import does not take. */
  ignored?: readonly string[]
  /** Columns that begin like this name a field, such as `custom.<field>`. */
  family?: `${string}.<${string}>`
  /** The file needs one of these. */
  oneOf: readonly string[]
  most: number
}

/** The cells of one line by the name of their column. Empty cells are absent. */
export type CsvRow = Map<string, string>

/**
 * Reads CSV (RFC 4180) as spreadsheets and our exports write it. The first line names the columns. Long files are read
 * in slices, and a line is kept only as `read` makes it.
 */
export async function readCsv<Row>(
  bytes: Uint8Array,
  columns: Columns,
  read: (row: CsvRow, index: number) => Row,
  contentType = 'text/csv',
): Promise<{ rows: Row[]; issues: Issue[] }> {
  const rows: Row[] = []
  let names: Array<string | null> | null = null
  let issues = headIssues([], columns)
  const issue = await readLines({ bytes, contentType }, columns.most, (cells) => {
    if (names === null) {
      const named = cells.map((name) => columnOf(name, beginOf(columns.family)))
      issues = headIssues(named, columns)
      names = named.map((name) => (columns.ignored?.includes(name) ? null : name))
    } else if (issues.length === 0) rows.push(read(rowOf(names, cells), rows.length))
  })
  if (issue) return { rows: [], issues: [issue] }
  if (rows.length > columns.most) issues.push({ path: '', message: `Send at most ${columns.most} lines in one file.` })
  return issues.length > 0 ? { rows: [], issues } : { rows, issues }
}

/** @throws HeadTooLongError for too many columns, or names that are too long together. */
function checkHead(names: string[]): void {
  if (names.length > MOST_COLUMNS) throw new HeadTooLongError(`Use at most ${MOST_COLUMNS} columns.`)
  if (names.reduce((sum, name) => sum + name.length, 0) > LONGEST_HEAD) throw new HeadTooLongError(HEAD_TOO_LONG)
}

/** Before anything is parsed. A quoted name may have line ends, so the head may go on. */
function checkFirstLine({ head, delimiter }: CsvText): void {
  if (head.length > LONGEST_HEAD) throw new HeadTooLongError(HEAD_TOO_LONG)
  // A quoted name may have commas, so this counts at least as many columns as there are.
  checkHead(head.split(delimiter, MOST_COLUMNS + 1))
}

/** Gives each line to `take`. Returns why the file cannot be read, null if it can. */
async function readLines(
  { bytes, contentType }: { bytes: Uint8Array; contentType: string },
  most: number,
  take: (cells: string[]) => void,
): Promise<Issue | null> {
  const taken = { lines: 0 }
  let skipped = 0
  try {
    const text = await openCsvText(bytes, contentType)
    checkFirstLine(text)
    skipped = text.skipped
    const parser = parse({
      delimiter: text.delimiter,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
      max_record_size: LONGEST_LINE,
    })
    await pipeline(inTurns(text, taken, most), parser, async (lines: AsyncIterable<string[]>) => {
      const slices = startSlices()
      let filled = 0
      for await (const cells of lines) {
        taken.lines += 1
        for (const cell of cells) if (cell !== '') filled += 1
        if (filled > MOST_CELLS) throw new TooManyCellsError()
        const end = 1 + cells.findLastIndex((cell) => cell !== '')
        if (taken.lines === 1) checkHead(cells.slice(0, end))
        for (let at = 0; at < end; at++) {
          const cell = cells[at] ?? ''
          if (cell === '' || cell.length > LONGEST_CELL) continue
          cells[at] = unguarded(composed(cell), text.delimiter)
          if (slices.isOver()) await slices.next()
        }
        take(cells.slice(0, end))
      }
    })
    return null
  } catch (error) {
    const line = taken.lines + skipped
    if (error instanceof UnreadableError) return { path: '', message: error.message }
    if (error instanceof HeadTooLongError) return { path: 'line 1', message: error.message }
    if (error instanceof NamelessCellError) return { path: `line ${line}`, message: error.message }
    if (error instanceof TooManyCellsError)
      return { path: `line ${line}`, message: `Send at most ${MOST_CELLS} cells with a value in one file.` }
    if (error instanceof LineTooLongError)
      return {
        path: `line ${line + 1}`,
        message: `A line can have at most ${LONGEST_LINE} bytes and ${MOST_SIGNS} cells. Check for a quote that is not closed.`,
      }
    const at = error instanceof Error && 'lines' in error && typeof error.lines === 'number' ? error.lines : undefined
    return { path: at === undefined ? '' : `line ${at + skipped}`, message: BROKEN }
  }
}

class LineTooLongError extends Error {}
class HeadTooLongError extends Error {}
class NamelessCellError extends Error {}
class TooManyCellsError extends Error {}

/** Stops early at a line without an end or of too many cells, and past the limit of lines. */
async function* inTurns(
  text: CsvText,
  taken: { readonly lines: number },
  most: number,
): AsyncGenerator<Uint8Array | string> {
  let known = 0
  let sinceLine = 0
  let signs = 0
  for (const slice of text.slices()) {
    if (taken.lines > most + 1) return
    yield slice
    await nextTurn()
    sinceLine = taken.lines > known ? 0 : sinceLine + slice.length
    signs = taken.lines > known ? 0 : signs + countSigns(slice, text.delimiter)
    if (sinceLine > LONGEST_LINE || signs > MOST_SIGNS) throw new LineTooLongError()
    known = taken.lines
  }
}

function countSigns(slice: Uint8Array | string, sign: string): number {
  if (typeof slice === 'string') return slice.split(sign).length - 1
  const code = sign.charCodeAt(0)
  return slice.reduce((sum, byte) => (byte === code ? sum + 1 : sum), 0)
}

function beginOf(family: string | undefined): string | undefined {
  return family?.slice(0, family.indexOf('<'))
}

/** `Email` is the column `email`. Names of fields keep their case. */
function columnOf(name: string, begin: string | undefined): string {
  const lower = name.toLowerCase()
  return begin !== undefined && lower.startsWith(begin) ? begin + name.slice(begin.length) : lower
}

function headIssues(names: string[], { known, ignored = [], family, oneOf }: Columns): Issue[] {
  const met = new Set<string>()
  const begin = beginOf(family)
  const isColumn = (name: string) =>
    known.includes(name) ||
    ignored.includes(name) ||
    (begin !== undefined && name.startsWith(begin) && name.length > begin.length)
  const issues: Issue[] = []
  for (const [index, name] of names.entries()) {
    if (name === '') continue
    const path = `line 1, column ${index + 1}`
    if (met.has(name)) issues.push({ path, message: 'This column appears twice. Remove one.' })
    else if (!isColumn(name))
      issues.push({
        path,
        message: `There is no such column. Use ${[known.join(', '), ...(family ? [family] : [])].join(' or ')}.`,
      })
    met.add(name)
    if (issues.length >= MOST_ISSUES) return issues
  }
  if (!oneOf.some((name) => names.includes(name)))
    issues.push({ path: 'line 1', message: `Add a column ${oneOf.join(' or ')}.` })
  return issues
}

/** Spreadsheets write empty columns after the last, and leave out empty cells at the end of a line. */
function rowOf(names: Array<string | null>, cells: string[]): CsvRow {
  const row: CsvRow = new Map()
  for (const [index, text] of cells.entries()) {
    if (text === '') continue
    const name = names[index]
    if (name === null) continue
    if (!name)
      throw new NamelessCellError(
        `Column ${index + 1} has a value here, but no name in the first line. Name or empty it.`,
      )
    row.set(name, text)
  }
  return row
}
