/** The state of a list, as its address says it. Absent members are the list's own defaults. */
export interface ListState {
  q?: string
  /** A condition of the filter grammar of the API. */
  filter?: Filter
  sort?: string
  columns?: string[]
  view?: string
}

/** The filter grammar of the API (docs/filters.md). */
export type Filter =
  | { all: Filter[] }
  | { any: Filter[] }
  | { not: Filter }
  | { field: string; op: string; value?: unknown }

/** Reads the address. Members that make no sense are left out. */
export function readListState(search: Record<string, unknown>): ListState {
  const { q, filter, sort, columns, view } = search
  return {
    ...(typeof q === 'string' && q !== '' && { q }),
    ...(isFilter(filter) && { filter }),
    ...(typeof sort === 'string' && sort !== '' && { sort }),
    ...(Array.isArray(columns) && columns.every((each) => typeof each === 'string') && { columns }),
    ...(typeof view === 'string' && view !== '' && { view }),
  }
}

export function isFilter(value: unknown): value is Filter {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return false
  const { all, any, not, field, op } = value as Record<string, unknown>
  if (Array.isArray(all)) return all.every(isFilter)
  if (Array.isArray(any)) return any.every(isFilter)
  return isFilter(not) || (typeof field === 'string' && typeof op === 'string')
}
