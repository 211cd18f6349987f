import { parse } from 'csv-parse/sync'
import type { Issue } from '../../http/problem.ts'
import { MOST_RECIPIENTS } from './invitations.schema.ts'

const COLUMNS = ['email', 'phone', 'name', 'language', 'timezone', 'agent_id'] as const
const CUSTOM = 'custom.'
const LONGEST_CELL = 1_000

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
 * Recipients of a CSV file (RFC 4180, comma or semicolon, UTF-8 with or without a byte order mark). The first line names the columns:
 * `email` or `phone`, and if wanted `name`, `language`, `timezone`, `agent_id`, and `custom.<field>` for custom data. Empty cells count as absent.
 */
export function readRecipients(text: string): { recipients: CsvRecipient[]; issues: Issue[] } {
  const lines = readLines(text)
  if ('issue' in lines) return { recipients: [], issues: [lines.issue] }
  const [head = [], ...rows] = lines.rows
  const names = head.map((name) => name.trim())
  const issues = headIssues(names)
  if (rows.length > MOST_RECIPIENTS) issues.push({ path: '', message: `Send at most ${MOST_RECIPIENTS} recipients in one file.` })
  if (issues.length > 0) return { recipients: [], issues }
  return { recipients: rows.map((cells) => recipientOf(names, cells)), issues: [] }
}

function readLines(text: string): { rows: string[][] } | { issue: Issue } {
  const firstLine = text.slice(0, text.search(/[\r\n]|$/))
  try {
    const rows = parse(text, {
      bom: true,
      delimiter: firstLine.includes(';') && !firstLine.includes(',') ? ';' : ',',
      skip_empty_lines: true,
      trim: true,
      max_record_size: 64 * 1024,
      // One more than may be, to tell; what follows is not even looked at.
      to: MOST_RECIPIENTS + 2,
    }) as string[][]
    return { rows }
  } catch (error) {
    const line = error instanceof Error && 'lines' in error && typeof error.lines === 'number' ? error.lines : undefined
    const path = line === undefined ? '' : `line ${line}`
    return { issue: { path, message: 'This is no CSV: each line needs as many cells as the first, and quotes must be closed.' } }
  }
}

function headIssues(names: string[]): Issue[] {
  const known: readonly string[] = COLUMNS
  const issues = names.flatMap((name, index): Issue[] => {
    if (names.indexOf(name) !== index) return [{ path: `line 1, column ${index + 1}`, message: 'This column is there twice.' }]
    if (known.includes(name) || (name.startsWith(CUSTOM) && name.length > CUSTOM.length)) return []
    return [{ path: `line 1, column ${index + 1}`, message: `Name columns ${COLUMNS.join(', ')} or custom.<field>.` }]
  })
  if (!names.includes('email') && !names.includes('phone')) issues.push({ path: 'line 1', message: 'A column email or phone is needed.' })
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
