import { isUtf8 } from 'node:buffer'
import { pipeline } from 'node:stream/promises'
import { parse } from 'csv-parse'
import type { Issue } from '../../../http/problem.ts'
import { composed } from '../../../platform/composed.ts'
import { nextTurn } from '../../../platform/turns.ts'

const LONGEST_HEAD = 16 * 1024
const MOST_BYTES_OF_CHARACTER = 4
// A dozen columns of our own and the 100 fields that a workspace may name, with room for unknown ones.
const MOST_COLUMNS = 200
const LONGEST_LINE = 64 * 1024
// As many values as a JSON body holds with their names. Each takes 100 bytes of memory.
const MOST_CELLS = 500_000
const SLICE = 8 * 1024

interface Columns {
  known: readonly string[]
  /** Columns that begin like this name a field, such as `custom.<field>`. */
  family?: `${string}.<${string}>`
  /** The file needs one of these. */
  oneOf: readonly string[]
  most: number
}

/** The cells of one line by the name of their column. Empty cells are absent. */
export type CsvRow = Map<string, string>

/**
 * Reads CSV (RFC 4180, comma or semicolon, UTF-8 with or without a byte order mark). The first line names the columns.
 * Long files are read in slices, and a line is kept only as `read` makes it.
 */
export async function readCsv<Row>(
  bytes: Uint8Array,
  columns: Columns,
  read: (row: CsvRow, index: number) => Row,
): Promise<{ rows: Row[]; issues: Issue[] }> {
  if (!isUtf8(bytes))
    return { rows: [], issues: [{ path: '', message: 'The file is not valid UTF-8. Save it as CSV UTF-8.' }] }
  if (bytes.includes(0)) return { rows: [], issues: [{ path: '', message: 'Remove the NUL characters.' }] }
  const begin = new TextDecoder().decode(bytes.subarray(0, MOST_BYTES_OF_CHARACTER * LONGEST_HEAD))
  const firstLine = begin.slice(0, LONGEST_HEAD + 1).split(/[\r\n]/, 1)[0] ?? ''
  const tooLong = headTooLong(firstLine)
  if (tooLong) return { rows: [], issues: [tooLong] }
  const delimiter = firstLine.includes(';') && !firstLine.includes(',') ? ';' : ','
  const rows: Row[] = []
  let names: string[] | null = null
  let issues = headIssues([], columns)
  const issue = await readLines(bytes, delimiter, columns.most, (cells) => {
    if (names === null) {
      names = cells.map((name) => columnOf(name, beginOf(columns.family)))
      issues = headIssues(names, columns)
    } else if (issues.length === 0) rows.push(read(rowOf(names, cells), rows.length))
  })
  if (issue) return { rows: [], issues: [issue] }
  if (rows.length > columns.most) issues.push({ path: '', message: `Send at most ${columns.most} lines in one file.` })
  return issues.length > 0 ? { rows: [], issues } : { rows, issues }
}

function headTooLong(head: string): Issue | null {
  if (head.length > LONGEST_HEAD)
    return {
      path: 'line 1',
      message: `The first line can have at most ${LONGEST_HEAD} characters.`,
    }
  // A quoted name may have commas, so this counts at least as many columns as there are.
  const columns = head.split(/[,;]/, MOST_COLUMNS + 1).length
  return columns > MOST_COLUMNS ? { path: 'line 1', message: `Use at most ${MOST_COLUMNS} columns.` } : null
}

/** Gives each line to `take`. Returns why the file cannot be read, null if it can. */
async function readLines(
  bytes: Uint8Array,
  delimiter: string,
  most: number,
  take: (cells: string[]) => void,
): Promise<Issue | null> {
  const taken = { lines: 0 }
  try {
    const parser = parse({ bom: true, delimiter, skip_empty_lines: true, trim: true, max_record_size: LONGEST_LINE })
    await pipeline(slicesOf(bytes, taken, most), parser, async (lines: AsyncIterable<string[]>) => {
      let filled = 0
      for await (const cells of lines) {
        taken.lines += 1
        for (const cell of cells) if (cell !== '') filled += 1
        if (filled > MOST_CELLS) throw new TooManyCellsError()
        take(cells)
      }
    })
    return null
  } catch (error) {
    if (error instanceof TooManyCellsError)
      return { path: `line ${taken.lines}`, message: `Send at most ${MOST_CELLS} cells with a value in one file.` }
    if (error instanceof LineTooLongError)
      return {
        path: `line ${taken.lines + 1}`,
        message: `A line can have at most ${LONGEST_LINE} bytes. Check for a quote that is not closed.`,
      }
    const line = error instanceof Error && 'lines' in error && typeof error.lines === 'number' ? error.lines : undefined
    return {
      path: line === undefined ? '' : `line ${line}`,
      message: 'This is not a CSV. Each line needs as many cells as the first, and quotes must be closed.',
    }
  }
}

class LineTooLongError extends Error {}
class TooManyCellsError extends Error {}

/** Stops early at a line without an end, and past the limit of lines. */
async function* slicesOf(
  bytes: Uint8Array,
  taken: { readonly lines: number },
  most: number,
): AsyncGenerator<Uint8Array> {
  let known = 0
  let sinceLine = 0
  for (let at = 0; at < bytes.length && taken.lines <= most + 1; at += SLICE) {
    yield bytes.subarray(at, at + SLICE)
    await nextTurn()
    sinceLine = taken.lines > known ? 0 : sinceLine + SLICE
    if (sinceLine > LONGEST_LINE) throw new LineTooLongError()
    known = taken.lines
  }
}

function beginOf(family: string | undefined): string | undefined {
  return family?.slice(0, family.indexOf('<'))
}

/** `Email` is the column `email`. Names of fields keep their case. */
function columnOf(name: string, begin: string | undefined): string {
  const lower = composed(name).toLowerCase()
  return begin !== undefined && lower.startsWith(begin) ? begin + composed(name).slice(begin.length) : lower
}

function headIssues(names: string[], { known, family, oneOf }: Columns): Issue[] {
  const met = new Set<string>()
  const begin = beginOf(family)
  const issues = names.flatMap((name, index): Issue[] => {
    if (met.has(name))
      return [{ path: `line 1, column ${index + 1}`, message: 'This column appears twice. Remove one.' }]
    met.add(name)
    if (known.includes(name)) return []
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

function rowOf(names: string[], cells: string[]): CsvRow {
  const row: CsvRow = new Map()
  for (const [index, name] of names.entries()) {
    const cell = composed(cells[index] ?? '')
    if (cell !== '') row.set(name, cell)
  }
  return row
}
