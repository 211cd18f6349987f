import { guarded } from '../../../src/platform/text/formula-guard.ts'

/** The part of a column that a copy needs. */
interface Copied<Row> {
  id: string
  copy?: (row: Row) => unknown
}

/** Rows that are copied at most. An export has them all. */
export const MOST_COPIED = 2_000

/** Loaded rows as CSV, with the columns that are shown. No cell runs as a formula in a spreadsheet. */
export function csvOf<Row>(columns: Copied<Row>[], rows: Row[]): string {
  const lines = rows.slice(0, MOST_COPIED).map((row) => columns.map((column) => cellOf(column, row)))
  return [columns.map(({ id }) => id), ...lines].map((cells) => cells.map(quoted).join(',')).join('\r\n')
}

function cellOf<Row>({ id, copy }: Copied<Row>, row: Row): string {
  const value = copy ? copy(row) : (row as Record<string, unknown>)[id]
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.join('; ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function quoted(cell: string): string {
  const safe = guarded(cell, ',')
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
