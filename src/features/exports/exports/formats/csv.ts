import type { NamedColumn } from '../definition/definition.ts'
import { textOf, typedValue, type Write } from './cells.ts'

// A spreadsheet runs what begins so. An apostrophe is doubled, so that removing one gives the text again.
const RUNS = /^[=+\-@\t\r\n']/

/** A text that no spreadsheet runs. */
export function neutralised(text: string): string {
  return RUNS.test(text) ? `'${text}` : text
}

/** RFC 4180, with the delimiter of the template. */
export const writeCsv: Write = async function* (columns, batches, { delimiter, bom }) {
  const special = new RegExp(`["\\r\\n${delimiter}]`)
  const quoted = (cell: string) => (special.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)
  const recordOf = (cells: string[]) => `${cells.map(quoted).join(delimiter)}\r\n`
  yield Buffer.from((bom ? '\uFEFF' : '') + recordOf(columns.map(({ header }) => neutralised(header))))
  for await (const lines of batches)
    yield Buffer.from(
      lines.map((line) => recordOf(columns.map((column) => cellOf(column, line[column.field])))).join(''),
    )
}

function cellOf(column: NamedColumn, value: unknown): string {
  if (value === null || value === undefined) return ''
  const typed = typedValue(column, value)
  if (typed instanceof Date) return typed.toISOString()
  if (typeof typed === 'number' || typeof typed === 'boolean') return String(typed)
  return neutralised(textOf(typed) ?? '')
}
