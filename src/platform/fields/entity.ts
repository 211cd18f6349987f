import { json, sql, type RawBuilder } from '../database/database.ts'
import type { CellType, ExportColumn } from '../export-source.ts'
import type { FilterContext, Fields, PlainField } from '../filter/entity.ts'
import { formatId, type Id, type IdKind } from '../ids.ts'
import type { SortField, Sorts } from './sorting.ts'
import type { Is, ValueType } from './values.ts'

/** A column of an entity's table: everything that the server does with it, said once. */
export interface Column {
  is: Is<unknown>
  /** Written with the row, and never changed. */
  fixed?: true
  /** In the table, and not in the row that the store reads whole. */
  apart?: true
  /** Shown to callers and exported by its own name, or only one of both. */
  shown?: true | 'api' | 'export'
  /** Encrypted in its row. `show` leaves it out, because only a service can open it. */
  sealed?: true
  /** Part of the person's own copy (docs/privacy.md), by its own name. */
  archived?: true
  /** Filters test it: by its own name, or as said. */
  filter?: true | FilterAs
  /** Lists can be sorted by it: by its own value, or as said. An index has that order. */
  sort?: true | SortAs
  /**
   * `words`: people wrote it or it names somebody, so an erasure reaches it and the planner keeps no samples. `key`:
   * a keyed hash or an id that finds the person. `trait`: many people share it.
   */
  personal?: 'words' | 'key' | 'trait'
  /** Of a row that outlives its person: the SQL value that an erasure leaves. `kept` leads to nobody. */
  erased?: 'kept' | { to: string }
  /** Of what an anonymous survey stores: left blank, or only the day. */
  anonymous?: 'kept' | 'none' | 'day'
  /** In a new row: of a value that may be null it is null, and of a list it is empty. */
  blank?: unknown
}

export interface FilterAs extends Pick<PlainField, 'ops' | 'permission' | 'indexed' | 'opens'> {
  as?: string
  /** In place of the column. */
  sql?: PlainField['sql']
}

/** An order by another expression than the column. */
export type SortAs = Partial<Pick<SortField, 'value' | 'opens'>>

/** Rows by their ids. */
export const BY_ID: FilterAs = { ops: ['eq', 'one_of'] }

/** A value that callers see and that has no column: it is kept within one, or worked out. */
export interface Within {
  within: string
  shown: CellType
}

type Entries = Record<string, Column | Within>

type Stored<Entry extends Entries> = {
  -readonly [Name in keyof Entry as Entry[Name] extends { is: unknown } ? Name : never]: Entry[Name] extends {
    is: Is<infer Value>
  }
    ? Value
    : never
}

type Row<Entry extends Entries> = {
  [Name in keyof Stored<Entry> as Entry[Name] extends { apart: true } ? never : Name]: Stored<Entry>[Name]
}

/** The columns of a new row that have no blank value: not null, no list, and none is said. */
type Needed<Entry extends Entries> = {
  [Name in keyof Row<Entry>]: null extends Row<Entry>[Name]
    ? never
    : Entry[Name] extends { blank: unknown }
      ? never
      : Row<Entry>[Name] extends readonly unknown[]
        ? never
        : Name
}[keyof Row<Entry>]

type InApi<Value> = Value extends Date ? string : Value extends Id<IdKind> ? string : Value

/** Columns with a mark, as the API writes them. */
type Marked<Entry extends Entries, Mark> = {
  -readonly [
    Name in keyof Entry as Entry[Name] extends Mark & { is: unknown }
      ? Entry[Name] extends { sealed: true }
        ? never
        : Name
      : never
  ]: Entry[Name] extends {
    is: Is<infer Value>
  }
    ? InApi<Value>
    : never
}

/** Its part that says nothing about the types of its rows. */
export interface Declared {
  table: string
  /** Every column of the table, but for `tenant_id`. */
  columns: ReadonlyMap<string, Column>
  /** Every column that callers see, in the order of the declaration. */
  exported: ExportColumn[]
  /** The fields that filters may test. */
  filters: Fields
  /** The fields by which its list can be sorted. */
  sorts: Sorts
  /** For the erasure, and kept from the planner's samples. */
  personal: string[]
}

export interface Entity<Entry extends Entries> extends Declared {
  /** The columns of a row that is read whole, in order. */
  names: Array<keyof Row<Entry> & string>
  /** Those that an update writes. */
  changing: Array<keyof Row<Entry> & string>
  /** `a, b` of a row that is read whole, or of these columns. */
  list(alias?: string, wanted?: ReadonlyArray<keyof Stored<Entry> & string>): RawBuilder<unknown>
  /** The values of `list()`. */
  values(row: Row<Entry>): RawBuilder<unknown>
  /** `a = …, b = …` of the columns that change. */
  changes(row: Row<Entry>): RawBuilder<unknown>
  /** An array for each column, in the order of `names`, for `unnest`. */
  arrays(rows: Array<Row<Entry>>, names?: ReadonlyArray<keyof Row<Entry> & string>): RawBuilder<unknown>
  /** `a = excluded.a, …` of those among `names` that change. */
  replacing(names?: ReadonlyArray<keyof Row<Entry> & string>): RawBuilder<unknown>
  /** `a = …, b = …` that removes the person from a row that stays. */
  erasing: RawBuilder<unknown>
  /** Values for a prepared statement. */
  parameters(row: Row<Entry>, names: ReadonlyArray<keyof Row<Entry> & string>): unknown[]
  /** A new row: these values, and blank ones. */
  blank(values: Partial<Row<Entry>> & Pick<Row<Entry>, Needed<Entry>>): Row<Entry>
  /** The shown columns of a row, as the API writes them. @param others values of other entries, or in place of them. */
  show<Others extends Partial<Record<keyof Entry, unknown>> = Record<never, never>>(
    row: Row<Entry>,
    others?: Others,
  ): Omit<Marked<Entry, { shown: true | 'api' }>, keyof Others> & Others
  /** The columns of the person's own copy. */
  archive(
    row: Pick<Row<Entry>, Extract<keyof Row<Entry>, keyof Marked<Entry, { archived: true }>>>,
  ): Marked<Entry, { archived: true }>
}

/** The row that a store reads whole. */
export type RowOf<E> = E extends Entity<infer Entry extends Entries> ? Row<Entry> : never

/** Every column with its value, also those apart. A store picks from it the columns of a row that it reads in part. */
export type ColumnsOf<E> = E extends Entity<infer Entry extends Entries> ? Stored<Entry> : never

/**
 * Declares an entity. `src/house/code/fields.test.ts` compares it with the database, and fails for a column that is
 * missing here.
 * @param rows what an erasure does with the row of a person: `go` deletes it, `stay` leaves what each column says.
 * @param more filters without a column of their own, and `sorts` the same of orders.
 */
export function declareEntity<const Entry extends Record<string, (Column & { erased: unknown }) | Within>>(
  of: { table: string; rows: 'stay'; more?: Fields; sorts?: Sorts },
  entries: Entry,
): Entity<Entry>
export function declareEntity<const Entry extends Entries>(
  of: { table: string; rows: 'go'; more?: Fields; sorts?: Sorts },
  entries: Entry,
): Entity<Entry>
export function declareEntity<const Entry extends Entries>(
  { table, more = {}, sorts = {} }: { table: string; rows: 'go' | 'stay'; more?: Fields; sorts?: Sorts },
  entries: Entry,
): Entity<Entry> {
  type Name = keyof Row<Entry> & string
  const all = Object.entries<Column | Within>(entries)
  const columns = new Map(all.flatMap(([name, entry]) => ('is' in entry ? [[name, entry] as const] : [])))
  const named = (holds: (column: Column) => unknown) =>
    [...columns].flatMap(([name, column]) => (holds(column) ? [name as Name] : []))
  const names = named(({ apart }) => !apart)
  const changing = named(({ apart, fixed }) => !apart && !fixed)
  const valueOf = (row: Row<Entry>, name: Name) => written(columns.get(name)?.is.type, row[name])
  const erasing = [...columns].flatMap(([name, { erased }]) =>
    typeof erased === 'object' ? [sql`${sql.ref(name)} = ${sql.raw(erased.to)}`] : [],
  )
  const shown = [...columns].filter(([, column]) => !column.sealed && (column.shown === true || column.shown === 'api'))
  const archived = [...columns].filter(([, column]) => column.archived)
  // Shared by all new rows, so its lists cannot be changed.
  const blank = Object.fromEntries(names.map((name) => [name, Object.freeze(blankOf(columns.get(name)))])) as Row<Entry>
  return {
    table,
    columns,
    names,
    changing,
    exported: all.flatMap(([field, entry]) =>
      'within' in entry
        ? [{ field, type: entry.shown }]
        : entry.shown && entry.shown !== 'api'
          ? [{ field, type: CELL[entry.is.type] }]
          : [],
    ),
    filters: { ...Object.fromEntries([...columns].flatMap(([name, column]) => filterOf(name, column))), ...more },
    sorts: { ...Object.fromEntries([...columns].flatMap(([name, column]) => sortOf(name, column))), ...sorts },
    personal: named(({ personal }) => personal),
    list: (alias, wanted = names) =>
      sql.raw(wanted.map((name) => (alias ? `"${alias}"."${name}"` : `"${name}"`)).join(', ')),
    values: (row) => sql.join(names.map((name) => valueOf(row, name))),
    arrays: (rows, wanted = names) =>
      sql.join(
        wanted.map((name) =>
          arrayOf(
            name,
            columns.get(name),
            rows.map((row) => row[name]),
          ),
        ),
      ),
    replacing: (wanted = names) =>
      sql.raw(
        wanted
          .filter((name) => !columns.get(name)?.fixed)
          .map((name) => `${name} = excluded.${name}`)
          .join(', '),
      ),
    changes: (row) => sql.join(changing.map((name) => sql`${sql.ref(name)} = ${valueOf(row, name)}`)),
    erasing: sql.join(erasing),
    parameters: (row, wanted) => wanted.map((name) => parameter(columns.get(name), row[name])),
    blank: (given) => ({ ...blank, ...given }),
    show(row, others) {
      const values: Record<string, unknown> = { ...inApi(row, shown), ...others }
      return Object.fromEntries(all.flatMap(([name]) => (name in values ? [[name, values[name]]] : []))) as never
    },
    archive: (row) => inApi(row, archived) as Marked<Entry, { archived: true }>,
  }
}

const CELL: Record<ValueType, CellType> = {
  text: 'text',
  whole: 'number',
  number: 'number',
  boolean: 'boolean',
  date: 'date',
  id: 'text',
  ids: 'list',
  list: 'list',
  json: 'json',
}

const ARRAY_OF: Partial<Record<ValueType, string>> = {
  text: 'text',
  whole: 'bigint',
  number: 'float8',
  boolean: 'boolean',
  date: 'timestamptz',
  id: 'uuid',
  json: 'jsonb',
}

function parameter(column: Column | undefined, value: unknown): unknown {
  return column?.is.type === 'json' && value !== null ? JSON.stringify(value) : value
}

/** @throws Error for a list: no array holds lists of different lengths. */
function arrayOf(name: string, column: Column | undefined, values: unknown[]): RawBuilder<unknown> {
  const type = ARRAY_OF[column?.is.type ?? 'text']
  if (!type) throw new Error(`${name} is a list, so it has no array`)
  return sql`${type === 'jsonb' ? values.map((value) => parameter(column, value)) : values}${sql.raw(`::${type}[]`)}`
}

function written(type: ValueType | undefined, value: unknown): unknown {
  if (type === 'json') return value === null ? sql`null` : json(value)
  if (type === 'list') return sql`${value}::text[]`
  return type === 'ids' ? sql`${value}::uuid[]` : value
}

/** The value of a column in a new row. */
export function blankOf(column: Column | undefined): unknown {
  const blank = column?.blank
  if (Array.isArray(blank)) return [...blank]
  if (typeof blank === 'object' && blank !== null) return { ...blank }
  if (blank !== undefined) return blank
  return column?.is.type === 'list' || column?.is.type === 'ids' ? [] : null
}

function filterOf(name: string, { is, filter }: Column): Array<[string, PlainField]> {
  if (!filter) return []
  if (is.type === 'json' || is.type === 'ids') throw new Error(`${name} is ${is.type}, which no filter tests`)
  const { as = name, ...own } = filter === true ? {} : filter
  const field: PlainField = {
    kind: is.type === 'whole' ? 'number' : is.type,
    ...(is.type === 'whole' && { isWhole: true }),
    ...(is.idKind && { idKind: is.idKind }),
    ...(is.values && { values: is.values }),
    sql: ({ alias }: FilterContext) => sql.ref(`${alias}.${name}`),
    read: (row: Record<string, unknown>) => row[name],
    ...own,
  }
  return [[as, field]]
}

const COMPARED: Partial<Record<ValueType, SortField['type']>> = {
  text: 'text',
  whole: 'bigint',
  number: 'float8',
  date: 'timestamptz',
}

function sortOf(name: string, { is, sort }: Column): Array<[string, SortField]> {
  if (!sort) return []
  const type = is.values ? 'bigint' : COMPARED[is.type]
  if (!type) throw new Error(`${name} is ${is.type}, which has no order`)
  // The order of a choice is that of its values.
  const places = is.values && sql.raw(`array[${is.values.map((value) => `'${value}'`).join(', ')}]`)
  const column = (alias: string) => sql.ref(`${alias}.${name}`)
  const value = (alias: string) => (places ? sql`array_position(${places}, ${column(alias)})` : column(alias))
  const own: SortField = is.isNullable
    ? { type, value, presence: column }
    : { type, value, presence: null, ...(is.type === 'date' && { opens: everyMoment(column) }) }
  return [[name, { ...own, ...(sort === true ? {} : sort) }]]
}

/** A condition that every row meets, as the partial index of a moment states it. */
function everyMoment(column: (alias: string) => RawBuilder<unknown>) {
  return (alias: string) => sql`${column(alias)} <= 'infinity'`
}

function inApi(row: Partial<Record<string, unknown>>, columns: Array<[string, Column]>): Record<string, unknown> {
  return Object.fromEntries(columns.map(([name, { is }]) => [name, presented(row[name], is.idKind)]))
}

function presented(value: unknown, idKind: IdKind | undefined): unknown {
  if (value instanceof Date) return value.toISOString()
  if (!idKind || value === null) return value
  const named = (id: unknown) => formatId(idKind, id as Id<IdKind>)
  return Array.isArray(value) ? value.map(named) : named(value)
}
