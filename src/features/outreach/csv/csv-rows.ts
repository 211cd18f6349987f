import { pipeline } from 'node:stream/promises'
import { parse } from 'csv-parse'
import { composed } from '../../../platform/look/composed.ts'
import { unguarded } from '../../../platform/look/formula-guard.ts'
import { nextTurn } from '../../../platform/loop/turns.ts'
import { BROKEN, openCsvText, UnreadableError, type CsvText } from './csv-text.ts'
import type { Issue } from '../../../http/problems/problem.ts'

const LONGEST_HEAD = 16 * 1024
// A dozen columns of our own and the 100 fields that a workspace may name, with room for unknown ones.
const MOST_COLUMNS = 200
// A person may have 100 attributes of 1,000 characters.
const LONGEST_LINE = 1024 * 1024
// As many values as a JSON body holds with their names. Each takes 100 bytes of memory.
const MOST_CELLS = 500_000

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
      const end = 1 + cells.findLastIndex((name) => name !== '')
      const named = cells.slice(0, end).map((name) => columnOf(name, beginOf(columns.family)))
      issues = headIssues(named, columns)
      names = named.map((name) => (columns.ignored?.includes(name) ? null : name))
    } else if (issues.length === 0) rows.push(read(rowOf(names, cells), rows.length))
  })
  if (issue) return { rows: [], issues: [issue] }
  if (rows.length > columns.most) issues.push({ path: '', message: `Send at most ${columns.most} lines in one file.` })
  return issues.length > 0 ? { rows: [], issues } : { rows, issues }
}

function headTooLong({ head, delimiter }: CsvText): Issue | null {
  if (head.length > LONGEST_HEAD)
    return {
      path: 'line 1',
      message: `The first line can have at most ${LONGEST_HEAD} characters.`,
    }
  // A quoted name may have commas, so this counts at least as many columns as there are.
  const columns = head.split(delimiter, MOST_COLUMNS + 1).length
  return columns > MOST_COLUMNS ? { path: 'line 1', message: `Use at most ${MOST_COLUMNS} columns.` } : null
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
    const tooLong = headTooLong(text)
    if (tooLong) return tooLong
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
      let filled = 0
      for await (const cells of lines) {
        taken.lines += 1
        for (const cell of cells) if (cell !== '') filled += 1
        if (filled > MOST_CELLS) throw new TooManyCellsError()
        take(cells.map((cell) => unguarded(composed(cell), text.delimiter)))
      }
    })
    return null
  } catch (error) {
    const line = taken.lines + skipped
    if (error instanceof UnreadableError) return { path: '', message: error.message }
    if (error instanceof NamelessCellError) return { path: `line ${line}`, message: error.message }
    if (error instanceof TooManyCellsError)
      return { path: `line ${line}`, message: `Send at most ${MOST_CELLS} cells with a value in one file.` }
    if (error instanceof LineTooLongError)
      return {
        path: `line ${line + 1}`,
        message: `A line can have at most ${LONGEST_LINE} bytes. Check for a quote that is not closed.`,
      }
    const at = error instanceof Error && 'lines' in error && typeof error.lines === 'number' ? error.lines : undefined
    return { path: at === undefined ? '' : `line ${at + skipped}`, message: BROKEN }
  }
}

class LineTooLongError extends Error {}
class NamelessCellError extends Error {}
class TooManyCellsError extends Error {}

/** Stops early at a line without an end, and past the limit of lines. */
async function* inTurns(
  text: CsvText,
  taken: { readonly lines: number },
  most: number,
): AsyncGenerator<Uint8Array | string> {
  let known = 0
  let sinceLine = 0
  for (const slice of text.slices()) {
    if (taken.lines > most + 1) return
    yield slice
    await nextTurn()
    sinceLine = taken.lines > known ? 0 : sinceLine + slice.length
    if (sinceLine > LONGEST_LINE) throw new LineTooLongError()
    known = taken.lines
  }
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
  const issues = names.flatMap((name, index): Issue[] => {
    if (name === '') return []
    if (met.has(name))
      return [{ path: `line 1, column ${index + 1}`, message: 'This column appears twice. Remove one.' }]
    met.add(name)
    if (known.includes(name) || ignored.includes(name)) return []
    if (begin !== undefined && name.startsWith(begin) && name.length > begin.length) return []
    return [
      {
        path: `line 1, column ${index + 1}`,
        message: `There is no such column. Use ${[known.join(', '), ...(family ? [family] : [])].join(' or ')}.`,
      },
    ]
  })
  if (!oneOf.some((name) => names.includes(name)))
    issues.push({ path: 'line 1', message: `Add a column ${oneOf.join(' or ')}.` })
  return issues.slice(0, 20)
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
