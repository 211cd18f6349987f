import { pipeline } from 'node:stream/promises'
import { parse } from 'csv-parse'
import type { Issue } from '../../../http/problem.ts'
import { nextTurn } from '../../../platform/turns.ts'
import { MOST_RECIPIENTS } from './invitations.schema.ts'

const COLUMNS = ['email', 'phone', 'name', 'language', 'timezone', 'agent_id'] as const
const CUSTOM = 'custom.'
const LONGEST_CELL = 1_000
const LONGEST_HEAD = 16 * 1024
const MOST_BYTES_OF_CHARACTER = 4
// The six columns above and the 100 custom fields that a survey may declare, with room for unknown ones.
const MOST_COLUMNS = 200
const LONGEST_LINE = 64 * 1024
const SLICE = 8 * 1024

export interface CsvRecipient {
  email?: string
  phone?: string
  name?: string
  language?: string
  timezone?: string
  agent_id?: string
  custom_data: Record<string, string>
}

/**
 * Reads recipients from CSV (RFC 4180, comma or semicolon, UTF-8 with or without a byte order mark). The first line
 * names the columns: `email` or `phone`, and optionally `name`, `language`, `timezone`, `agent_id` and
 * `custom.<field>`. Empty cells are absent. Long files are read in slices.
 */
export async function readRecipients(bytes: Uint8Array): Promise<{ recipients: CsvRecipient[]; issues: Issue[] }> {
  const begin = new TextDecoder().decode(bytes.subarray(0, MOST_BYTES_OF_CHARACTER * LONGEST_HEAD))
  const firstLine = begin.slice(0, LONGEST_HEAD + 1).split(/[\r\n]/, 1)[0] ?? ''
  const tooLong = headTooLong(firstLine)
  if (tooLong) return { recipients: [], issues: [tooLong] }
  const lines = await readLines(bytes, firstLine.includes(';') && !firstLine.includes(',') ? ';' : ',')
  if ('issue' in lines) return { recipients: [], issues: [lines.issue] }
  const [head = [], ...rows] = lines.rows
  const names = head.map(columnOf)
  const issues = headIssues(names)
  if (rows.length > MOST_RECIPIENTS)
    issues.push({ path: '', message: `Send at most ${MOST_RECIPIENTS} recipients in one file.` })
  if (issues.length > 0) return { recipients: [], issues }
  return { recipients: rows.map((cells) => recipientOf(names, cells)), issues: [] }
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

async function readLines(bytes: Uint8Array, delimiter: string): Promise<{ rows: string[][] } | { issue: Issue }> {
  const rows: string[][] = []
  try {
    const parser = parse({ bom: true, delimiter, skip_empty_lines: true, trim: true, max_record_size: LONGEST_LINE })
    await pipeline(slicesOf(bytes, rows), parser, async (lines: AsyncIterable<string[]>) => {
      for await (const cells of lines) rows.push(cells)
    })
    return { rows }
  } catch (error) {
    if (error instanceof LineTooLongError)
      return {
        issue: {
          path: `line ${rows.length + 1}`,
          message: `A line can have at most ${LONGEST_LINE} bytes. Check for a quote that is not closed.`,
        },
      }
    const line = error instanceof Error && 'lines' in error && typeof error.lines === 'number' ? error.lines : undefined
    const path = line === undefined ? '' : `line ${line}`
    return {
      issue: {
        path,
        message: 'This is not a CSV. Each line needs as many cells as the first, and quotes must be closed.',
      },
    }
  }
}

class LineTooLongError extends Error {}

/** Stops early at a line without an end, and past the limit of lines. */
async function* slicesOf(bytes: Uint8Array, rows: string[][]): AsyncGenerator<Uint8Array> {
  let known = 0
  let sinceLine = 0
  for (let at = 0; at < bytes.length && rows.length <= MOST_RECIPIENTS + 1; at += SLICE) {
    yield bytes.subarray(at, at + SLICE)
    await nextTurn()
    sinceLine = rows.length > known ? 0 : sinceLine + SLICE
    if (sinceLine > LONGEST_LINE) throw new LineTooLongError()
    known = rows.length
  }
}

/** `Email` is the column `email`. Names of custom fields keep their case. */
function columnOf(name: string): string {
  const lower = name.toLowerCase()
  return lower.startsWith(CUSTOM) ? CUSTOM + name.slice(CUSTOM.length) : lower
}

function headIssues(names: string[]): Issue[] {
  const known: readonly string[] = COLUMNS
  const met = new Set<string>()
  const issues = names.flatMap((name, index): Issue[] => {
    if (met.has(name))
      return [{ path: `line 1, column ${index + 1}`, message: 'This column appears twice. Remove one.' }]
    met.add(name)
    if (known.includes(name) || (name.startsWith(CUSTOM) && name.length > CUSTOM.length)) return []
    return [
      {
        path: `line 1, column ${index + 1}`,
        message: `There is no such column. Use ${COLUMNS.join(', ')} or custom.<field>.`,
      },
    ]
  })
  if (!names.includes('email') && !names.includes('phone'))
    issues.push({ path: 'line 1', message: 'Add a column email or phone.' })
  return issues.slice(0, 20)
}

function recipientOf(names: string[], cells: string[]): CsvRecipient {
  const recipient: CsvRecipient = { custom_data: {} }
  for (const [index, name] of names.entries()) {
    const cell = (cells[index] ?? '').slice(0, LONGEST_CELL)
    if (cell === '') continue
    if (name.startsWith(CUSTOM)) recipient.custom_data[name.slice(CUSTOM.length)] = cell
    else recipient[name as (typeof COLUMNS)[number]] = cell
  }
  return recipient
}
