import type { RawBuilder, ReadTx } from './database/database.ts'
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

/** How a feature is exported. */
export interface ExportSource {
  /** Every column, in order. */
  columns(scope: Scope, tx: ReadTx, spec: ExportSpec): Promise<ExportColumn[]> | ExportColumn[]
  /** A query of the keys that match, as columns `id` and `member`. */
  select(scope: Scope, tx: ReadTx, spec: ExportSpec): Promise<RawBuilder<ExportKey>> | RawBuilder<ExportKey>
  /**
   * The lines of each row that is still there, in the order of the keys: one, or in the long form one for each answered
   * cell.
   */
  read(scope: Scope, tx: ReadTx, keys: ExportKey[], spec: ExportSpec, fields: string[]): Promise<ExportLine[][]>
}

/** Columns whose fields bear the names of the values that the API shows. */
export function columnsOf(types: Record<string, CellType>): ExportColumn[] {
  return Object.entries(types).map(([field, type]) => ({ field, type }))
}

/** One line for each presented row. */
export function linesOf(presented: Array<Record<string, unknown>>, fields: string[]): ExportLine[][] {
  return presented.map((row) => [fields.map((field) => row[field])])
}
