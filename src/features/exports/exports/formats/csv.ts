import { stringify } from 'csv-stringify/sync'
import type { NamedColumn } from '../definition/definition.ts'
import { textOf, typedValue, type Write } from './cells.ts'

// A spreadsheet runs what begins so. An apostrophe is doubled, so that removing one gives the text again.
const RUNS = /^[=+\-@\t\r\n']/

/** A text that no spreadsheet runs. */
export function neutralised(text: string): string {
  return RUNS.test(text) ? `'${text}` : text
}

export const writeCsv: Write = async function* (columns, batches, { delimiter, bom }) {
  const written = (lines: unknown[][]) =>
    stringify(lines, { delimiter, record_delimiter: '\r\n', quoted_match: /[\r\n]/ })
  yield Buffer.from((bom ? '\uFEFF' : '') + written([columns.map(({ header }) => neutralised(header))]))
  for await (const lines of batches)
    yield Buffer.from(written(lines.map((line) => columns.map((column) => cellOf(column, line[column.field])))))
}

function cellOf(column: NamedColumn, value: unknown): string {
  const typed = typedValue(column, value)
  if (typed instanceof Date) return typed.toISOString()
  if (typeof typed === 'number' || typeof typed === 'boolean') return String(typed)
  return neutralised(textOf(typed) ?? '')
}
