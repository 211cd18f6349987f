import type { ConditionLeaf, Operator } from '../../model/definition.ts'
import { parseNumber } from '../../model/formats.ts'
import type { Comparison, ConditionMember } from '../behaviour.ts'

export const PRESENCE: readonly Operator[] = ['is_answered', 'is_skipped']
export const MEMBERSHIP: readonly Operator[] = ['contains', 'one_of', 'all_of']
export const ORDER: readonly Operator[] = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'between']

/** Answers that cannot be compared. A condition can only ask whether there is one. */
export const PRESENCE_ONLY = {
  operators: PRESENCE,
  operand: (value) => (typeof value === 'object' ? Object.values(value).map(String) : value),
  misfit: () => null,
} satisfies Comparison

export const NUMBERS = {
  operators: [...ORDER, 'one_of', ...PRESENCE],
  operand: (value) => (typeof value === 'number' ? value : (parseNumber(String(value)) ?? String(value))),
  misfit: (values) => (values.every(isNumber) ? null : 'Compare with a number.'),
} satisfies Comparison

export const WORDS = {
  operators: ['eq', 'ne', 'contains', 'starts_with', 'ends_with', 'one_of', ...PRESENCE],
  operand: String,
  misfit: () => null,
} satisfies Comparison

export function membersOf({ value }: ConditionLeaf): ConditionMember[] {
  if (value === undefined) return []
  return typeof value === 'object' ? value : [value]
}

// Collected once for each list: a survey of 1 MiB compares with its choices thousands of times.
const collected = new WeakMap<{ id: string }[], ReadonlySet<string>>()

export function idsOf(items: { id: string }[]): ReadonlySet<string> {
  const ids = collected.get(items) ?? new Set(items.map(({ id }) => id))
  collected.set(items, ids)
  return ids
}

function isNumber(value: ConditionMember): boolean {
  return typeof value === 'number' || (typeof value === 'string' && parseNumber(value) !== null)
}
