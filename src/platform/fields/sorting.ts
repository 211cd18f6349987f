import { sql, type RawBuilder } from '../database/database.ts'

/** The order of a list by one field: equal rows newest first, and those without a value last. */
export interface Sorting {
  field: string
  /** The highest first. */
  isDescending: boolean
  /** The type of PostgreSQL in which two values are compared. */
  type: SortType
}

type SortType = 'text' | 'bigint' | 'float8' | 'timestamptz'

/** A page to fetch from a store: rows older than `before`, newest first, one more than `limit`. */
export interface PageRequest {
  limit: number
  before: string | null
  /** Absent: newest first. */
  sorting?: Sorting
  /** With `before` and `sorting`: the value of that row as text. Null if it has none. */
  beforeValue?: string | null
  /** The list that a cursor of this page belongs to. */
  list?: string
  /** Whether rows follow those that were read. Absent: if one more than `limit` was read. */
  hasMore?: boolean
  /** The last row of a page whose rows were all removed while it was read. The next page goes on behind it. */
  removed?: { id: string; sort_value?: string | null } | undefined
}

/** A value by which a list can be sorted. */
export interface SortField {
  /** The type of PostgreSQL in which two values are compared. */
  type: SortType
  value(alias: string): RawBuilder<unknown>
  /** Is null for rows without the value. Null: no row is without. */
  presence: ((alias: string) => RawBuilder<unknown>) | null
  /** A condition that every row with the value meets, which opens a partial index. */
  opens?(alias: string): RawBuilder<unknown>
}

export type Sorts = Record<string, SortField>

/** Added to rows by the statement of a sorted list. */
export interface Sorted {
  sort_value?: string | null
}

/** The part of a list that one statement reads. Its statement selects `value` too. */
export interface Part {
  where: RawBuilder<unknown>
  order: RawBuilder<unknown>
  /** `… as sort_value`. */
  value: RawBuilder<unknown>
  limit: number
  /** Whether it is the part of a sorted list that has the value. */
  isByValue: boolean
}

/**
 * One more row than the page has. A sorted list is read in two parts, so that each can use its index: the rows that
 * have the value, then the others.
 * @param parts `first` reads only rows that have the value.
 * @param read the rows of `alias` that pass `where`, in `order`.
 */
export async function readPage<Row>(
  page: PageRequest,
  sorts: Sorts,
  alias: string,
  parts: 'all' | 'first',
  read: (part: Part) => Promise<Row[]>,
): Promise<Row[]> {
  const { sorting, before, limit } = page
  const id = sql.ref(`${alias}.id`)
  const older = before === null ? sql`true` : sql`${id} < ${before}`
  const field = sorting && sorts[sorting.field]
  if (!field) return read({ where: older, order: sql`${id} desc`, value: NO_VALUE, limit: limit + 1, isByValue: false })
  const isPastValues = before !== null && page.beforeValue === null
  const rows = isPastValues ? [] : await read(valuePart(page, field, alias, older))
  if (rows.length > limit || !field.presence || parts === 'first') return rows
  const unset = await read({
    where: sql`${field.presence(alias)} is null and ${isPastValues ? older : sql`true`}`,
    order: sql`${id} desc`,
    value: NO_VALUE,
    limit: limit + 1 - rows.length,
    isByValue: false,
  })
  return [...rows, ...unset]
}

const NO_VALUE = sql`null::text as sort_value`

const WHOLE = /^-?\d{1,18}$/
const NUMBER = /^-?\d{1,17}(?:\.\d{1,17})?(?:e[-+]\d{1,2})?$/
const MOMENT = /^(\d{4,6})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)(?:\.\d{1,6})?\+00( BC)?$/

/** Whether PostgreSQL writes a value of this type so. A cursor comes from outside, so its value may be anything. */
export function isWritten(type: SortType, text: string): boolean {
  switch (type) {
    case 'text':
      return !text.includes('\0') && text.isWellFormed()
    case 'bigint':
      return WHOLE.test(text)
    case 'float8':
      return NUMBER.test(text)
    case 'timestamptz':
      return isMoment(text)
  }
}

function isMoment(text: string): boolean {
  const [, year, month, day, hour, minute, second, isBeforeChrist] = MOMENT.exec(text) ?? []
  if (year === undefined) return false
  const at = new Date(0)
  at.setUTCFullYear(isBeforeChrist ? 1 - Number(year) : Number(year), Number(month) - 1, Number(day))
  at.setUTCHours(Number(hour), Number(minute), Number(second))
  const written = [at.getUTCMonth() + 1, at.getUTCDate(), at.getUTCHours(), at.getUTCMinutes(), at.getUTCSeconds()]
  return Number(year) > 0 && [month, day, hour, minute, second].every((part, index) => Number(part) === written[index])
}

function valuePart(page: PageRequest, field: SortField, alias: string, older: RawBuilder<unknown>): Part {
  const value = field.value(alias)
  const hasValue = field.presence ? sql`${field.presence(alias)} is not null` : sql`true`
  const isSet = field.opens ? sql`${hasValue} and ${field.opens(alias)}` : hasValue
  const isDescending = page.sorting?.isDescending === true
  const last = sql`${page.beforeValue}::${sql.raw(field.type)}`
  const beyond = isDescending ? sql`${value} <= ${last}` : sql`${value} >= ${last}`
  return {
    // The first condition finds the place in the index.
    where: page.before === null ? isSet : sql`${isSet} and ${beyond} and (${value} <> ${last} or ${older})`,
    order: isDescending
      ? sql`${value} desc, ${sql.ref(`${alias}.id`)} desc`
      : sql`${value}, ${sql.ref(`${alias}.id`)} desc`,
    value: sql`${value}::text as sort_value`,
    limit: page.limit + 1,
    isByValue: true,
  }
}
