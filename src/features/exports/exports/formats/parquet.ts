import { ByteWriter, ParquetWriter, schemaFromColumnData } from 'hyparquet-writer'
import type { ExportLine } from '../../../../platform/export-source.ts'
import { nextTurn } from '../../../../platform/loop/turns.ts'
import type { NamedColumn } from '../definition/definition.ts'
import { textOf, typedValue, type Write } from './cells.ts'

const GROUP_ROWS = 5_000
// A column is encoded in one go.
const TYPES = {
  number: 'DOUBLE',
  boolean: 'BOOLEAN',
  date: 'TIMESTAMP',
  text: 'STRING',
  list: 'STRING',
  json: 'STRING',
} as const

/** Each group of rows leaves memory when it is written. Times are UTC in milliseconds. */
export const writeParquet: Write = async function* (columns, batches) {
  const bytes = new ByteWriter()
  const described = columns.map((column) => ({
    name: column.header,
    type: TYPES[column.type],
    nullable: true,
    data: [] as unknown[],
  }))
  const schema = schemaFromColumnData({ columnData: described }).map((element) =>
    element.converted_type === 'TIMESTAMP_MILLIS'
      ? { ...element, logical_type: { type: 'TIMESTAMP' as const, isAdjustedToUTC: true, unit: 'MILLIS' as const } }
      : element,
  )
  const file = new ParquetWriter({ writer: bytes, schema })
  let group: ExportLine[] = []
  const flush = function* (): Generator<Uint8Array> {
    if (group.length > 0)
      file.write({
        columnData: columns.map((column, at) => ({
          name: column.header,
          data: group.map((line) => valueOf(column, line[at])),
        })),
        rowGroupSize: GROUP_ROWS,
      })
    group = []
    yield takeBytes(bytes)
  }
  for await (const lines of batches) {
    group.push(...lines)
    if (group.length < GROUP_ROWS) continue
    yield* flush()
    await nextTurn()
  }
  yield* flush()
  file.finish()
  yield takeBytes(bytes)
}

/** Takes the bytes that were written so far. The writer goes on at its offset. */
function takeBytes(writer: ByteWriter): Uint8Array {
  const taken = Buffer.from(writer.getBytes())
  writer.index = 0
  return taken
}

function valueOf(column: NamedColumn, value: unknown): unknown {
  const typed = typedValue(column, value)
  const isText = column.type === 'text' || column.type === 'list' || column.type === 'json'
  if (isText) return textOf(typed)
  // A typed column cannot hold a value that does not fit the type.
  return typeof typed === 'string' ? null : typed
}
