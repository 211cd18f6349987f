import type { ExportLine } from '../../../../platform/export-source.ts'
import type { NamedColumn, Options } from '../definition/definition.ts'

/** Writes a file from batches of lines, whose values are in the order of the columns. Memory holds one batch. */
export type Write = (
  columns: NamedColumn[],
  batches: AsyncIterable<ExportLine[]>,
  options: Options,
) => AsyncIterable<Uint8Array>

/** The value of a cell as text. Null if there is none. */
export function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null
  if (typeof value === 'string') return value
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value.join('; ')
  if (typeof value === 'object') return JSON.stringify(value)
  return String(value)
}

/** A number, a time or a yes or no where the column says so; else text. */
export function typedValue({ type }: NamedColumn, value: unknown): number | boolean | Date | string | null {
  if (type === 'number' && typeof value === 'number' && Number.isFinite(value)) return value
  if (type === 'boolean' && typeof value === 'boolean') return value
  if (type === 'date' && typeof value === 'string' && !Number.isNaN(Date.parse(value))) return new Date(value)
  return textOf(value)
}
