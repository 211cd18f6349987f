/** The operators of the filter grammar (docs/filters.md). Each field takes some of them. */
export const OPERATORS = [
  'eq',
  'ne',
  'one_of',
  'not_one_of',
  'contains',
  'starts_with',
  'is_set',
  'is_not_set',
  'gt',
  'gte',
  'lt',
  'lte',
  'between',
  'within_days',
  'search',
] as const
export type Operator = (typeof OPERATORS)[number]

/** Operators that compare a whole value, so an index finds the rows. */
export const COMPARISONS: ReadonlySet<Operator> = new Set(['eq', 'one_of', 'gt', 'gte', 'lt', 'lte', 'between'])
/** Operators that hold only where there is a value: these, and those that look for words. */
export const POSITIVE: ReadonlySet<Operator> = new Set([...COMPARISONS, 'contains', 'starts_with'])

export type Scalar = string | number | boolean
export type FilterValue = Scalar | Scalar[] | { [name: string]: Scalar }

export interface FilterTest {
  field: string
  op: Operator
  value?: FilterValue
}

export type FilterNode = Filter | FilterTest
/**
 * A filter as callers write it and as features store it. An empty `all` holds for everything, an empty `any` for
 * nothing.
 */
export type Filter = { all: FilterNode[] } | { any: FilterNode[] } | { not: FilterNode }

/** Levels of `all`, `any` and `not` in one another. */
export const MOST_LEVELS = 4
export const MOST_TESTS = 50
export const MOST_VALUES = 100
/** Other filters, such as segments, that all tests of a filter name. Each adds its own tests where it is named. */
export const MOST_NAMED = 10
export const LONGEST_TEXT = 1_000
/** Of text that is looked for within others: of one test, and of all tests of a filter. */
export const LONGEST_WORDS = 200
export const MOST_LETTERS = 2_000

/** Every test of a filter, in the order in which they are written. */
export function testsOf(node: FilterNode): FilterTest[] {
  if ('field' in node) return [node]
  return nodesOf(node).flatMap(testsOf)
}

/** The tests that everything passes which passes the filter. */
export function requiredTests(node: FilterNode | undefined): FilterTest[] {
  if (!node) return []
  if ('field' in node) return [node]
  return 'all' in node ? node.all.flatMap(requiredTests) : []
}

export function nodesOf(filter: Filter): FilterNode[] {
  if ('all' in filter) return filter.all
  return 'any' in filter ? filter.any : [filter.not]
}
