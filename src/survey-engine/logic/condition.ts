import type { AnswerValue, Condition, ConditionLeaf, ConditionValue, Operator, Question } from '../model/definition.ts'
import { isCalendarDate, parseNumber } from '../model/formats.ts'
import { LIMITS } from '../model/limits.ts'
import type { Operand } from '../types/behaviour.ts'
import { behaviourOf } from '../types/registry.ts'

/** Looks a leaf's subject up; undefined means unanswered, or not known. */
export interface Lookup {
  (leaf: ConditionLeaf): Operand | undefined
  /** Kept for all conditions of an evaluation. */
  texts?: Texts
}

type Scalar = string | number | boolean
type Test = Pick<ConditionLeaf, 'op' | 'value'>

/** The forms of an answer that tests compare. */
interface Texts {
  /** The first and the last 1,000 characters, without capital letters. */
  fold(text: string): { start: string; end: string }
  rank(value: Scalar): Rank
}

/** Where a value stands among numbers, or among days. Null where it is none. */
interface Rank {
  number: number | null
  day: string | null
}

export function holds(condition: Condition, lookup: Lookup): boolean {
  return judge(condition, (leaf) => satisfies(lookup(leaf), leaf, lookup.texts)) === true
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
export function satisfies(operand: Operand | undefined, test: Test, texts: Texts = AFRESH): boolean {
  if (test.op === 'is_answered') return operand !== undefined
  if (test.op === 'is_skipped') return operand === undefined
  if (operand === undefined || test.value === undefined) return false
  return typeof operand === 'object'
    ? listSatisfies(operand, test.op, test.value)
    : scalarSatisfies(operand, test, test.value, texts)
}

export function operandOf(question: Question, value: AnswerValue): Operand {
  return behaviourOf(question).comparison(question).operand(value)
}

const AFRESH: Texts = { fold: foldText, rank: rankOf }

/** Prepares each answer once, however many tests compare it. */
export function preparingOnce(): Texts {
  return { fold: once(foldText), rank: once(rankOf) }
}

function once<Key, Value extends object>(prepare: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, Value>()
  return (key) => {
    const value = known.get(key) ?? prepare(key)
    known.set(key, value)
    return value
  }
}

function foldText(text: string): ReturnType<Texts['fold']> {
  const start = text.slice(0, LIMITS.comparedLength).toLowerCase()
  return { start, end: text.length <= LIMITS.comparedLength ? start : text.slice(-LIMITS.comparedLength).toLowerCase() }
}

function scalarSatisfies(operand: Scalar, test: Test, value: ConditionValue, texts: Texts): boolean {
  if (typeof value === 'object') {
    if (test.op === 'one_of') return value.some((item) => same(operand, item))
    if (test.op === 'all_of') return value.length > 0 && value.every((item) => same(operand, item))
    if (test.op !== 'between' || value.length < 2) return false
    return order(texts.rank(operand), ranksOf(test)[0]) >= 0 && order(texts.rank(operand), ranksOf(test)[1]) <= 0
  }
  const compared = () => order(texts.rank(operand), ranksOf(test)[0])
  switch (test.op) {
    case 'eq':
      return same(operand, value)
    case 'ne':
      return !same(operand, value)
    case 'gt':
    case 'after':
      return compared() > 0
    case 'gte':
      return compared() >= 0
    case 'lt':
    case 'before':
      return compared() < 0
    case 'lte':
      return compared() <= 0
    case 'contains':
      return texts.fold(String(operand)).start.includes(String(value).toLowerCase())
    case 'starts_with':
      return texts.fold(String(operand)).start.startsWith(String(value).toLowerCase())
    case 'ends_with':
      return texts.fold(String(operand)).end.endsWith(String(value).toLowerCase())
    default:
      return false
  }
}

// A survey may have thousands of tests, and each answer is held against them several times.
const ranks = new WeakMap<Test, Rank[]>()

function ranksOf(test: Test): Rank[] {
  const known = ranks.get(test) ?? [test.value ?? []].flat().map(rankOf)
  ranks.set(test, known)
  return known
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
function same(a: Scalar, b: Scalar): boolean {
  return String(a) === String(b)
}

/** Negative, 0 or positive; NaN, which satisfies no comparison, where the two have no order. */
function order(left: Rank, right: Rank | undefined): number {
  if (!right) return NaN
  if (left.number !== null && right.number !== null) return left.number - right.number
  if (left.day === null || right.day === null) return NaN
  return left.day < right.day ? -1 : Number(left.day > right.day)
}

function rankOf(value: Scalar): Rank {
  if (typeof value !== 'string') return { number: typeof value === 'number' ? value : null, day: null }
  const day = /^.{10}(?:$|T)/.test(value) ? value.slice(0, 10) : null
  return { number: parseNumber(value), day: day !== null && isCalendarDate(day) ? day : null }
}
