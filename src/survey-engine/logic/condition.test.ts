import { describe, expect, test } from 'vitest'
import type { Condition, ConditionLeaf, ConditionValue, Operator } from '../model/definition.ts'
import { holds, judge, leavesOf, satisfies } from './condition.ts'
import type { Operand } from '../types/behaviour.ts'

const OPERATORS_COMPARING: Operator[] = [
  'eq',
  'ne',
  'gt',
  'gte',
  'lt',
  'lte',
  'between',
  'contains',
  'starts_with',
  'ends_with',
  'one_of',
  'all_of',
  'before',
  'after',
]

test.each(OPERATORS_COMPARING)('%s with an unanswered question is false', (op) => {
  expect(satisfies(undefined, { op, value: 1 })).toBe(false)
  expect(satisfies(undefined, { op, value: ['a', 'b'] })).toBe(false)
})

describe('an operator compares as its name says', () => {
  test.each<[Operand | undefined, Operator, ConditionValue | undefined, boolean]>([
    [undefined, 'is_skipped', undefined, true],
    [undefined, 'is_answered', undefined, false],
    [0, 'is_answered', undefined, true],
    [0, 'is_skipped', undefined, false],
    [6, 'eq', 6, true],
    [6, 'eq', '6', true],
    [6, 'ne', 6, false],
    [6, 'ne', 7, true],
    [7, 'gt', 6, true],
    [6, 'gt', 6, false],
    [6, 'gte', 6, true],
    [5, 'lt', 6, true],
    [6, 'lt', 6, false],
    [6, 'lte', 6, true],
    [7, 'lte', 6, false],
    ['10', 'gt', 9, true],
    [5, 'between', [5, 7], true],
    [7, 'between', [5, 7], true],
    [8, 'between', [5, 7], false],
    [5, 'between', [5], false],
    [5, 'gt', [4, 6], false],
    [5, 'all_of', 5, false],
    [5, 'eq', [5], false],
    ['Quick delivery', 'contains', 'QUICK', true],
    ['Quick delivery', 'contains', 'slow', false],
    ['Quick delivery', 'starts_with', 'quick', true],
    ['Quick delivery', 'ends_with', 'quick', false],
    ['Quick delivery', 'ends_with', 'Delivery', true],
    ['pro', 'eq', 'Pro', false],
    ['pro', 'one_of', ['free', 'pro'], true],
    ['pro', 'one_of', ['free'], false],
    ['pro', 'all_of', [], false],
    [true, 'eq', true, true],
    [true, 'eq', false, false],
    [true, 'gt', 0, false],
    ['abc', 'gt', 1, false],
    ['abc', 'lte', 1, false],
    [5, 'gt', NaN, false],
    ['2024-02-01', 'before', '2024-02-02', true],
    ['2024-02-02', 'before', '2024-02-02', false],
    ['2024-02-03', 'after', '2024-02-02', true],
    ['2024-02-02', 'after', '2024-02-02', false],
    ['2024-02-03T10:00:00Z', 'after', '2024-02-02', true],
    ['2024-02-30', 'after', '2024-02-02', false],
    ['2024-02-02', 'between', ['2024-02-01', '2024-02-03'], true],
    [['a', 'b'], 'eq', ['b', 'a'], true],
    [['a', 'b'], 'eq', ['a'], false],
    [['a'], 'eq', 'a', true],
    [['a', 'b'], 'ne', 'a', true],
    [['a', 'b'], 'contains', 'b', true],
    [['a', 'b'], 'contains', 'c', false],
    [['a', 'b'], 'one_of', ['c', 'b'], true],
    [['a', 'b'], 'one_of', ['c'], false],
    [['a', 'b'], 'all_of', ['a', 'b'], true],
    [['a', 'b'], 'all_of', ['a', 'c'], false],
    [['a', 'b'], 'starts_with', 'a', true],
    [['a', 'b'], 'ends_with', 'a', false],
    [['a', 'b'], 'gt', 1, false],
    [['a', 'b'], 'one_of', [], false],
  ])('%j %s %j is %j', (operand, op, value, expected) => {
    expect(satisfies(operand, { op, value })).toBe(expected)
  })
})

test('contains reads the first 1,000 characters of a text, ends_with the last ones, and eq the whole', () => {
  const text = (length: number) => `${'x'.repeat(length - 1)}Y`
  expect(satisfies(text(1_000), { op: 'contains', value: 'y' })).toBe(true)
  expect(satisfies(text(1_001), { op: 'contains', value: 'y' })).toBe(false)
  expect(satisfies(text(1_001), { op: 'ends_with', value: 'xy' })).toBe(true)
  expect(satisfies(text(1_001), { op: 'eq', value: text(1_001) })).toBe(true)
  expect(satisfies(text(1_001), { op: 'eq', value: text(1_000) })).toBe(false)
})

describe('a nested condition', () => {
  const leaf = (custom: string): Condition => ({ custom, op: 'is_answered' })
  const verdicts = new Map([
    ['yes', true],
    ['no', false],
  ])
  const verdictOf = (candidate: ConditionLeaf) => ('custom' in candidate ? verdicts.get(candidate.custom) : undefined)

  test.each<[string, Condition, boolean | undefined]>([
    ['an empty all is true', { all: [] }, true],
    ['an empty any is false', { any: [] }, false],
    ['all needs every member', { all: [leaf('yes'), leaf('no')] }, false],
    ['any needs one member', { any: [leaf('no'), leaf('yes')] }, true],
    ['nesting is followed', { all: [{ any: [leaf('no'), { all: [leaf('yes')] }] }] }, true],
    ['an open member leaves all open', { all: [leaf('yes'), leaf('open')] }, undefined],
    ['a false member decides all', { all: [leaf('open'), leaf('no')] }, false],
    ['a true member decides any', { any: [leaf('open'), leaf('yes')] }, true],
    ['an open member leaves any open', { any: [leaf('no'), leaf('open')] }, undefined],
  ])('%s', (_, condition, expected) => {
    expect(judge(condition, verdictOf)).toBe(expected)
  })

  test('that is far too deep is false and never overflows the stack', () => {
    let deep: Condition = leaf('yes')
    for (let level = 0; level < 100_000; level++) deep = { all: [deep] }
    expect(holds(deep, () => 1)).toBe(false)
    expect([...leavesOf(deep)]).toEqual([])
  })
})
