import { expect, test } from 'vitest'
import {
  chipsOf,
  filterOf,
  joinedBy,
  lacksOpposite,
  offeredOp,
  offeredOps,
  readValue,
  takesMany,
  testOf,
  textsOf,
  writtenOp,
} from './conditions.ts'

const LOW = { field: 'score', op: 'lte', value: 6 }
const MAIL = { field: 'channel', op: 'eq', value: 'email' }

test('chips side by side are conditions that must all hold', () => {
  expect(filterOf([LOW, MAIL])).toEqual({ all: [LOW, MAIL] })
  expect(chipsOf({ all: [LOW, MAIL] })).toEqual([LOW, MAIL])
  expect(filterOf([])).toBeUndefined()
  expect(chipsOf(undefined)).toEqual([])
})

test('a filter that no chips made is one chip, and keeps its meaning', () => {
  const either = { any: [LOW, MAIL] }
  expect(chipsOf(either)).toEqual([either])
  expect(filterOf(chipsOf(either))).toEqual({ all: [either] })
})

test.each([
  ['number', 'lte', ['6'], 6],
  ['number', 'lte', ['6,5'], 6.5],
  ['number', 'lte', ['six'], null],
  ['number', 'between', ['1', '3'], [1, 3]],
  ['number', 'between', ['1'], null],
  ['text', 'contains', [' late '], 'late'],
  ['text', 'contains', [''], null],
  ['choice', 'one_of', ['a', 'b'], ['a', 'b']],
  ['choice', 'one_of', [], null],
  ['boolean', 'eq', ['false'], false],
  ['date', 'within_days', ['30'], 30],
  ['date', 'gte', ['2026-11-01'], '2026-11-01'],
  ['text', 'is_set', [], undefined],
])('%s %s %j is the value %j', (type, op, texts, value) => {
  expect(readValue(type, op, texts)).toEqual(value)
})

test('the values of a test are shown as texts', () => {
  expect(textsOf({ field: 'tag', op: 'one_of', value: ['a', 1] })).toEqual(['a', '1'])
  expect(textsOf({ field: 'tag', op: 'is_set' })).toEqual([])
})

test('a test that must not hold is one chip, and only operators without an opposite offer that', () => {
  const test = { field: 'invited', op: 'within_days', value: 90 }
  expect(testOf({ not: test })).toEqual({ test, isNot: true })
  expect(testOf(test)).toEqual({ test, isNot: false })
  expect(testOf({ not: { all: [test] } })).toBeNull()
  expect(['within_days', 'eq', 'is_set'].map(lacksOpposite)).toEqual([true, false, false])
})

const CHOICE = ['eq', 'ne', 'one_of', 'not_one_of', 'is_set']

test('a person sees one entry for one value and for several, and the number of values decides what is written', () => {
  expect(offeredOps(CHOICE)).toEqual(['eq', 'ne', 'is_set'])
  expect(offeredOp('one_of', CHOICE)).toBe('eq')
  expect(offeredOp('not_one_of', CHOICE)).toBe('ne')
  expect(offeredOp('is_set', CHOICE)).toBe('is_set')
  expect([1, 2].map((count) => writtenOp('eq', CHOICE, count))).toEqual(['eq', 'one_of'])
  expect([1, 2].map((count) => writtenOp('ne', CHOICE, count))).toEqual(['ne', 'not_one_of'])
  expect(writtenOp('gte', CHOICE, 2)).toBe('gte')
})

test('a field without lists of values, or with lists alone, offers what it has', () => {
  expect(offeredOps(['eq', 'ne'])).toEqual(['eq', 'ne'])
  expect(takesMany('eq', ['eq', 'ne'])).toBe(false)
  expect(takesMany('eq', CHOICE)).toBe(true)
  expect(offeredOps(['one_of', 'not_one_of'])).toEqual(['one_of', 'not_one_of'])
  expect(offeredOp('one_of', ['one_of'])).toBe('one_of')
})

test('the values of a test have a word between them that says what it means', () => {
  expect(joinedBy({ field: 'score', op: 'between', value: [3, 5] })).toBe('and')
  expect(joinedBy({ field: 'channel', op: 'one_of', value: ['email', 'sms'] })).toBe('or')
})
