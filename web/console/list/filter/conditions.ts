import type { Filter, ListState } from '../../app/list-state.ts'

export interface Test {
  field: string
  op: string
  value?: unknown
}

/** The chips of a filter: conditions that must all hold. A filter of another shape is one chip. */
export function chipsOf(filter: ListState['filter']): Filter[] {
  if (filter === undefined) return []
  return 'all' in filter ? filter.all : [filter]
}

/** The filter of these chips. Undefined for none. */
export function filterOf(chips: Filter[]): Filter | undefined {
  return chips.length === 0 ? undefined : { all: chips }
}

export function isTest(filter: Filter): filter is Test {
  return 'field' in filter
}

/** The test that a chip shows, and whether it must not hold. Null for a filter of another shape. */
export function testOf(chip: Filter): { test: Test; isNot: boolean } | null {
  if (isTest(chip)) return { test: chip, isNot: false }
  return 'not' in chip && isTest(chip.not) ? { test: chip.not, isNot: true } : null
}

/** Whether no other operator says the opposite of this one. */
export function lacksOpposite(op: string): boolean {
  return ['within_days', 'contains', 'starts_with', 'between', 'search'].includes(op)
}

/** Operators that take no value. */
export function needsValue(op: string): boolean {
  return op !== 'is_set' && op !== 'is_not_set'
}

const MANY: Record<string, string> = { eq: 'one_of', ne: 'not_one_of' }

/**
 * The operators that a person chooses between: `one_of` is `eq` with several values, and `not_one_of` is `ne`. A list
 * of values that may be one value has one entry.
 */
export function offeredOps(ops: readonly string[]): string[] {
  const joined = ops.filter((op) => MANY[op] !== undefined && ops.includes(MANY[op]))
  return ops.filter((op) => !joined.some((one) => MANY[one] === op))
}

/** The operator that a person sees for one of the API. */
export function offeredOp(op: string, ops: readonly string[]): string {
  return offeredOps(ops).includes(op) ? op : (Object.keys(MANY).find((one) => MANY[one] === op) ?? op)
}

/** The operator to write, by the number of values. */
export function writtenOp(op: string, ops: readonly string[], count: number): string {
  const many = MANY[op]
  return many !== undefined && count > 1 && ops.includes(many) ? many : op
}

/** Whether a chosen operator takes several values. */
export function takesMany(op: string, ops: readonly string[]): boolean {
  return op === 'one_of' || op === 'not_one_of' || ops.includes(MANY[op] ?? '')
}

/** The typed texts as the value of an operator. Null if it is none. */
export function readValue(type: string, op: string, texts: string[]): unknown {
  if (!needsValue(op)) return undefined
  const values = texts.map((text) => readOne(type, op, text))
  if (values.length === 0 || values.some((value) => value === null)) return null
  if (op === 'between') return values.length === 2 ? values : null
  return takesMany(op, []) ? values : values[0]
}

function readOne(type: string, op: string, text: string): string | number | boolean | null {
  const trimmed = text.trim()
  if (trimmed === '') return null
  if (type === 'boolean') return trimmed === 'true'
  if (type === 'number' || op === 'within_days') {
    const number = Number(trimmed.replace(',', '.'))
    return Number.isFinite(number) ? number : null
  }
  return trimmed
}

/** The word between the values of a test: it holds for one of them, or for what lies between both. */
export function joinedBy({ op }: Test): 'and' | 'or' {
  return op === 'between' ? 'and' : 'or'
}

/** The values of a test as texts, to show or edit them. */
export function textsOf({ value }: Test): string[] {
  if (value === undefined || value === null) return []
  return (Array.isArray(value) ? value : [value]).map(String)
}
