import type { Format } from '../definition/definition.ts'
import { type Write, piecesOf } from './cells.ts'
import { writeCsv } from './csv.ts'
import { writeParquet } from './parquet.ts'
import { writeXlsx } from './xlsx.ts'

const writeJsonl: Write = (columns, batches) => {
  const names = columns.map(({ header }, at) => `${at === 0 ? '{' : ','}${JSON.stringify(header)}:`)
  return piecesOf(batches, (line) => {
    let text = ''
    for (const [at, name] of names.entries()) text += name + JSON.stringify(line[at] ?? null)
    return `${text}}\n`
  })
}

export const WRITERS: Record<Format, { write: Write; contentType: string }> = {
  csv: { write: writeCsv, contentType: 'text/csv; charset=utf-8' },
  jsonl: { write: writeJsonl, contentType: 'application/jsonl; charset=utf-8' },
  xlsx: {
    write: writeXlsx,
    contentType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  },
  parquet: { write: writeParquet, contentType: 'application/vnd.apache.parquet' },
}
