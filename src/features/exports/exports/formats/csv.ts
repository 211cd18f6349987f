import type { ExportLine } from '../../../../platform/export-source.ts'
import { mapInSlices } from '../../../../platform/loop/turns.ts'
import { guarded } from '../../../../platform/text/formula-guard.ts'
import type { DefinitionRow, NamedColumn } from '../definition/definition.ts'
import { piecesOf, textOf, typedValue, type Write } from './cells.ts'

// As every time is written. Reading it took longer than all other cells.
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** RFC 4180, with the delimiter of the template. Readers cut spaces off a cell unless it is in quotes. */
export const writeCsv: Write = async function* (columns, batches, { delimiter, bom }) {
  const special = new RegExp(`["\\r\\n${delimiter}]|^\\s|\\s$`)
  const quoted = (text: string) => (special.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
  const header = columns.map((column) => quoted(guarded(column.header, delimiter))).join(delimiter)
  yield Buffer.from(`${bom ? '\uFEFF' : ''}${header}\r\n`)
  yield* piecesOf(batches, (line) => {
    let text = ''
    for (let at = 0; at < columns.length; at++) {
      const cell = cellOf(columns[at] as NamedColumn, line[at], delimiter)
      if (at > 0) text += delimiter
      text += typeof cell === 'string' ? quoted(cell) : cell
    }
    return `${text}\r\n`
  })
}

/**
 * The cells of a line as the file has them, in slices: they may be 20,000. Only spreadsheets read formulas, so other
 * formats hold the value itself.
 */
export function cellTexts(
  columns: NamedColumn[],
  line: ExportLine,
  { format, options }: Pick<DefinitionRow, 'format' | 'options'>,
): Promise<string[]> {
  const textIn =
    format === 'csv' || format === 'xlsx'
      ? (column: NamedColumn, value: unknown) => String(cellOf(column, value, options.delimiter))
      : (_column: NamedColumn, value: unknown) => textOf(value) ?? ''
  return mapInSlices(columns.entries(), ([at, column]) => textIn(column, line[at]))
}

function cellOf(column: NamedColumn, value: unknown, delimiter: string): string | number | boolean {
  if (value === null || value === undefined) return ''
  if (column.type === 'date' && typeof value === 'string' && INSTANT.test(value)) return value
  const typed = typedValue(column, value)
  if (typed instanceof Date) return typed.toISOString()
  if (typeof typed === 'number' || typeof typed === 'boolean') return typed
  const text = typed ?? ''
  // JSON stays JSON: only its texts may have an apostrophe more. A line feed stands between its parts alone.
  const isApart = column.type === 'json' && text.includes(',-')
  return guarded(isApart ? JSON.stringify(value, null, 1).replaceAll(/\n */g, ' ') : text, delimiter)
}
