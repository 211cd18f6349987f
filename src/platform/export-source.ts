import { type RawBuilder, type ReadTx, sql } from './database/database.ts'
import type { Filter } from './filter/grammar.ts'
import type { Id } from './ids.ts'
import type { Permission } from './permissions.ts'
import type { Scope } from './scope.ts'

/** A `list` is of texts, `json` is any value. A spreadsheet shows both as text. */
export type CellType = 'text' | 'number' | 'date' | 'boolean' | 'list' | 'json'

export interface ExportColumn {
  field: string
  type: CellType
  /** A header for people. Absent: the field. */
  title?: string
}

/** The accepted definition of a run. */
export interface ExportSpec {
  surveyId: Id<'survey'> | null
  filter: Filter | null
  answers: 'wide' | 'long'
  labels: 'ids' | 'text'
  language: string | null
  /** Permissions of who asked that show more of a row. */
  shows: Permission[]
  /** Rows of people who were erased since then are left out. */
  snapshotAt: Date
}

/** A row of a source: its id, and where one id has several rows, a name among them. */
export interface ExportKey {
  id: string
  member: string | null
}

/** Values in the order of the chosen fields. */
export type ExportLine = unknown[]

/** Rows that were read, in the order of their keys. */
export interface ExportedRows {
  /**
   * Of each row its lines, made one at a time as they are taken: one, or in the long form one for each answered cell.
   */
  rows: Iterable<Iterable<ExportLine>>
  /** How many keys these are: all, unless the rows are large. */
  done: number
}

/** Rows of a source are read until they have so many bytes together: they wait in memory until they are written. */
export const READ_BYTES = 1_000_000

/** How a feature is exported. */
export interface ExportSource {
  /**
   * Every column, in order. Call it outside of a transaction, because it may wait.
   * @param ofSurveys the columns that surveys add, if they are known.
   */
  columns(scope: Scope, spec: ExportSpec, ofSurveys?: ExportColumn[]): Promise<ExportColumn[]> | ExportColumn[]
  /** A query of the keys that match, as columns `id` and `member`. */
  select(scope: Scope, tx: ReadTx, spec: ExportSpec): Promise<RawBuilder<ExportKey>> | RawBuilder<ExportKey>
  /** The first of these rows that are still there, to `READ_BYTES`. Lines are taken after the transaction. */
  read(scope: Scope, tx: ReadTx, keys: ExportKey[], spec: ExportSpec, fields: string[]): Promise<ExportedRows>
}

/** Columns whose fields bear the names of the values that the API shows. */
export function columnsOf(types: Record<string, CellType>): ExportColumn[] {
  return Object.entries(types).map(([field, type]) => ({ field, type }))
}

/** One line for each presented row. */
export function* linesOf(presented: Array<Record<string, unknown>>, fields: string[]): Generator<ExportLine[]> {
  for (const row of presented) yield [fields.map((field) => row[field])]
}

/**
 * The first keys, to `READ_BYTES` of their rows and one at least.
 * @param sizes a query of `id`, `member` and `bytes` of the rows that are still there.
 */
export async function firstKeys(tx: ReadTx, keys: ExportKey[], sizes: RawBuilder<unknown>): Promise<ExportKey[]> {
  const last = await tx.maybe(sql<ExportKey>`
    select id, member from (
      select id, member, sum(bytes) over (order by id, member rows unbounded preceding) - bytes as before
      from (${sizes}) as sizes) as summed
    where before < ${READ_BYTES} order by id desc, member desc limit 1`)
  return keys.slice(0, doneUpTo(keys, last))
}

/** The number of keys that are done if this row was the last one found. Without a row, all are done. */
export function doneUpTo(keys: ExportKey[], last: ExportKey | undefined): number {
  return last ? keys.findLastIndex(({ id, member }) => id === last.id && member === last.member) + 1 : keys.length
}
