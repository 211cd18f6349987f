import type { AnswerValue, Condition, ConditionLeaf, ConditionValue, Operator, Question } from '../model/definition.ts'
import { isCalendarDate, parseNumber } from '../model/formats.ts'
import { LIMITS } from '../model/limits.ts'
import type { Operand } from '../types/behaviour.ts'
import { behaviourOf } from '../types/registry.ts'

/** Looks a leaf's subject up; undefined means unanswered, or not known. */
export interface Lookup {
  (leaf: ConditionLeaf): Operand | undefined
  /** Kept for all conditions of an evaluation. */
  fold?: Fold
}

/** The first and the last 1,000 characters of a text, without capital letters. */
type Fold = (text: string) => { start: string; end: string }

export function holds(condition: Condition, lookup: Lookup): boolean {
  return judge(condition, (leaf) => satisfies(lookup(leaf), leaf.op, leaf.value, lookup.fold)) === true
}

/** True or false where the known leaves decide it, else undefined (Kleene's three-valued logic). */
export type Verdict = boolean | undefined

export function judge(condition: Condition, verdictOf: (leaf: ConditionLeaf) => Verdict, depth = 0): Verdict {
  if (depth > LIMITS.conditionDepth) return false
  if ('all' in condition) return combine(condition.all, true)
  if ('any' in condition) return combine(condition.any, false)
  return verdictOf(condition)

  function combine(members: Condition[], neutral: boolean): Verdict {
    let verdict: Verdict = neutral
    for (const member of members) {
      const next = judge(member, verdictOf, depth + 1)
      if (next === !neutral) return next
      if (next === undefined) verdict = undefined
    }
    return verdict
  }
}

/** The leaves with their paths below `path`, down to the deepest level that a condition may have. */
export function* leavesOf(
  condition: Condition,
  path = '',
  depth = 0,
): Generator<{ leaf: ConditionLeaf; path: string }> {
  if (depth > LIMITS.conditionDepth) return
  const key = 'all' in condition ? 'all' : 'any'
  const members = 'all' in condition ? condition.all : 'any' in condition ? condition.any : null
  if (members) {
    for (const [index, member] of members.entries()) yield* leavesOf(member, `${path}.${key}.${index}`, depth + 1)
  } else if ('op' in condition) {
    yield { leaf: condition, path }
  }
}

/** A comparison with a missing answer is false, even `ne`. Only `is_skipped` is true. */
export function satisfies(
  operand: Operand | undefined,
  op: Operator,
  value: ConditionValue | undefined,
  fold: Fold = foldText,
): boolean {
  if (op === 'is_answered') return operand !== undefined
  if (op === 'is_skipped') return operand === undefined
  if (operand === undefined || value === undefined) return false
  return typeof operand === 'object' ? listSatisfies(operand, op, value) : scalarSatisfies(operand, op, value, fold)
}

export function operandOf(question: Question, value: AnswerValue): Operand {
  return behaviourOf(question).comparison(question).operand(value)
}

/** Folds each text once, however many tests compare it. */
export function foldingOnce(): Fold {
  const known = new Map<string, ReturnType<Fold>>()
  return (text) => {
    const folded = known.get(text) ?? foldText(text)
    known.set(text, folded)
    return folded
  }
}

function foldText(text: string): ReturnType<Fold> {
  const start = text.slice(0, LIMITS.comparedLength).toLowerCase()
  return { start, end: text.length <= LIMITS.comparedLength ? start : text.slice(-LIMITS.comparedLength).toLowerCase() }
}

function scalarSatisfies(operand: string | number | boolean, op: Operator, value: ConditionValue, fold: Fold): boolean {
  if (typeof value === 'object') {
    const [low, high] = value
    if (op === 'one_of') return value.some((item) => same(operand, item))
    if (op === 'all_of') return value.length > 0 && value.every((item) => same(operand, item))
    if (op !== 'between' || low === undefined || high === undefined) return false
    return order(operand, low) >= 0 && order(operand, high) <= 0
  }
  switch (op) {
    case 'eq':
      return same(operand, value)
    case 'ne':
      return !same(operand, value)
    case 'gt':
    case 'after':
      return order(operand, value) > 0
    case 'gte':
      return order(operand, value) >= 0
    case 'lt':
    case 'before':
      return order(operand, value) < 0
    case 'lte':
      return order(operand, value) <= 0
    case 'contains':
      return fold(String(operand)).start.includes(String(value).toLowerCase())
    case 'starts_with':
      return fold(String(operand)).start.startsWith(String(value).toLowerCase())
    case 'ends_with':
      return fold(String(operand)).end.endsWith(String(value).toLowerCase())
    default:
      return false
  }
}

function listSatisfies(items: readonly string[], op: Operator, value: ConditionValue): boolean {
  const wanted = (typeof value === 'object' ? value : [value]).map(String)
  const first = wanted[0]
  if (first === undefined) return false
  switch (op) {
    case 'eq':
      return sameMembers(items, wanted)
    case 'ne':
      return !sameMembers(items, wanted)
    case 'contains':
    case 'all_of':
      return wanted.every((item) => membersOf(items).has(item))
    case 'one_of':
      return wanted.some((item) => membersOf(items).has(item))
    case 'starts_with':
      return items[0] === first
    case 'ends_with':
      return items.at(-1) === first
    default:
      return false
  }
}

// A matrix may have 2,500 cells, and thousands of tests may ask for one of them.
const members = new WeakMap<readonly string[], ReadonlySet<string>>()

function membersOf(items: readonly string[]): ReadonlySet<string> {
  const known = members.get(items) ?? new Set(items)
  members.set(items, known)
  return known
}

function sameMembers(items: readonly string[], wanted: readonly string[]): boolean {
  const set = new Set(wanted)
  return set.size === items.length && items.every((item) => set.has(item))
}

// Query parameters arrive as text, so "5" is the same as 5 and "true" as true.
function same(a: string | number | boolean, b: string | number | boolean): boolean {
  return String(a) === String(b)
}

/** Negative, 0 or positive; NaN, which satisfies no comparison, where the two have no order. */
function order(a: string | number | boolean, b: string | number | boolean): number {
  const [left, right] = [numeric(a), numeric(b)]
  if (left !== null && right !== null) return left - right
  const [day, other] = [calendarDay(a), calendarDay(b)]
  if (day === null || other === null) return NaN
  return day < other ? -1 : Number(day > other)
}

function numeric(value: string | number | boolean): number | null {
  if (typeof value === 'number') return value
  return typeof value === 'string' ? parseNumber(value) : null
}

function calendarDay(value: string | number | boolean): string | null {
  if (typeof value !== 'string' || !/^.{10}(?:$|T)/.test(value)) return null
  const day = value.slice(0, 10)
  return isCalendarDate(day) ? day : null
}
