import type { ExportLine } from '../../../../platform/export-source.ts'
import { startSlices } from '../../../../platform/loop/turns.ts'
import type { NamedColumn, Options } from '../definition/definition.ts'

/** Lines as they are read. Each is made when it is taken. */
export type Batches = AsyncIterable<Iterable<ExportLine>>

/** Writes a file from lines, whose values are in the order of the columns. Memory holds one batch. */
export type Write = (columns: NamedColumn[], batches: Batches, options: Options) => AsyncIterable<Uint8Array>

const PIECE = 128 * 1024

/** Lines as text, in pieces of about 128 KiB. The event loop turns between lines. */
export async function* piecesOf(batches: Batches, write: (line: ExportLine) => string): AsyncGenerator<Buffer> {
  const slices = startSlices()
  let text = ''
  for await (const lines of batches) {
    for (const line of lines) {
      text += write(line)
      if (text.length >= PIECE) {
        yield Buffer.from(text)
        text = ''
      }
      if (slices.isOver()) await slices.next()
    }
  }
  if (text !== '') yield Buffer.from(text)
}

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
