import { ByteWriter, ParquetWriter, schemaFromColumnData } from 'hyparquet-writer'
import { startSlices } from '../../../../platform/loop/turns.ts'
import type { NamedColumn } from '../definition/definition.ts'
import { textOf, typedValue, type Write } from './cells.ts'

// A group is encoded in one go, so it has few rows, or few bytes.
const GROUP_ROWS = 5_000
const GROUP_BYTES = 8_000_000
// A cell takes as long as so many bytes of text.
const CELL_BYTES = 40
// The smallest and the largest value of a column in a group wait in memory for the end of the file.
const LONGEST_BOUND = 200
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
  const slices = startSlices()
  let group = columns.map(newColumn)
  let [rows, size] = [0, 0]
  const flush = function* (): Generator<Uint8Array> {
    if (rows > 0)
      file.write({
        columnData: group.map(({ name, data, longest }) => ({ name, data, statistics: longest <= LONGEST_BOUND })),
        rowGroupSize: GROUP_ROWS,
      })
    group = columns.map(newColumn)
    ;[rows, size] = [0, 0]
    yield takeBytes(bytes)
  }
  for await (const lines of batches) {
    for (const line of lines) {
      for (const [at, column] of group.entries()) size += CELL_BYTES + add(column, line[at])
      rows += 1
      if (slices.isOver()) await slices.next()
      if (rows < GROUP_ROWS && size < GROUP_BYTES) continue
      yield* flush()
      await slices.next()
    }
  }
  yield* flush()
  file.finish()
  yield takeBytes(bytes)
}

interface GroupColumn {
  column: NamedColumn
  name: string
  data: unknown[]
  longest: number
}

function newColumn(column: NamedColumn): GroupColumn {
  return { column, name: column.header, data: [], longest: 0 }
}

/** Returns the length of a new text. The lines of a response in the long form repeat most of theirs. */
function add(group: GroupColumn, value: unknown): number {
  const { column, data } = group
  const added = valueOf(column, value)
  const isNew = typeof added === 'string' && added !== data.at(-1)
  if (isNew) group.longest = Math.max(group.longest, added.length)
  data.push(added)
  return isNew ? added.length : 0
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
