/** The order of a list by one field: equal rows newest first, and those without a value last. */
export interface Sorting {
  field: string
  /** The highest first. */
  isDescending: boolean
  /** The type of PostgreSQL in which two values are compared. */
  type: SortType
}

export type SortType = 'text' | 'bigint' | 'float8' | 'timestamptz'

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
}
