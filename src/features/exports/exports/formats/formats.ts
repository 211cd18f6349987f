import type { Format } from '../definition/sources.ts'
import type { Write } from './cells.ts'
import { writeCsv } from './csv.ts'
import { writeJsonl } from './jsonl.ts'
import { writeParquet } from './parquet.ts'
import { writeXlsx } from './xlsx.ts'

export const WRITERS: Record<Format, { write: Write; contentType: string }> = {
  csv: { write: writeCsv, contentType: 'text/csv; charset=utf-8' },
  jsonl: { write: writeJsonl, contentType: 'application/jsonl; charset=utf-8' },
  xlsx: {
    write: writeXlsx,
    contentType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  },
  parquet: { write: writeParquet, contentType: 'application/vnd.apache.parquet' },
}
