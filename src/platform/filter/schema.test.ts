import { expect, test } from 'vitest'
import '../../features.ts'
import { filterBody } from './schema.ts'

const issuesOf = (tests: object[]) => {
  const { error } = filterBody('responses').safeParse({ all: tests })
  return error?.issues.map(({ path, message }) => [path.join('.'), message]) ?? []
}
const contains = (value: string, field = 'custom.plan') => ({ field, op: 'contains', value })

test('a text that is looked for has at most 200 characters, and those of a filter 2,000 together', () => {
  expect(issuesOf([contains('x'.repeat(200)), contains('x'.repeat(200), 'text')])).toEqual([])
  for (const field of ['custom.plan', 'text', 'answer.q1'])
    expect(issuesOf([contains('x'.repeat(201), field)])).toEqual([['all.0.value', 'Use at most 200 characters.']])
  expect(issuesOf([{ field: 'custom.plan', op: 'starts_with', value: 'x'.repeat(201) }])).toHaveLength(1)
  expect(issuesOf([{ field: 'custom.plan', op: 'eq', value: 'x'.repeat(1_000) }])).toEqual([])
  const ten = Array.from({ length: 10 }, () => contains('x'.repeat(200)))
  expect(issuesOf(ten)).toEqual([])
  expect(issuesOf([...ten, contains('x'), contains('x')])).toEqual([
    ['all.10.value', 'A filter can look for at most 2000 characters in all. Use fewer or shorter texts.'],
  ])
})

test('all tests of a filter name at most 10 segments, because each adds up to 50 tests', () => {
  const inSegments = (count: number, op = 'one_of') => ({
    field: 'segment_id',
    op,
    value: Array.from({ length: count }, (_, n) => `seg_${n}`),
  })
  const one = { field: 'segment_id', op: 'ne', value: 'seg_1' }
  const message = 'All tests of segment_id together can have at most 10 values. Use fewer.'
  expect(issuesOf([inSegments(10)])).toEqual([])
  expect(issuesOf([inSegments(5), inSegments(4, 'not_one_of'), one])).toEqual([])
  expect(issuesOf([inSegments(11)])).toEqual([['all.0.value', message]])
  expect(issuesOf([inSegments(10), one, one])).toEqual([['all.1.value', message]])
  expect(issuesOf(Array.from({ length: 50 }, () => inSegments(10)))).toEqual([['all.1.value', message]])
})

test('a filter has at most 50 groups, though they test nothing', () => {
  const empty = (n: number) => Array.from({ length: n }, () => ({ all: [] }))
  expect(issuesOf(empty(49))).toEqual([])
  expect(issuesOf(Array.from({ length: 48 }, () => ({ all: empty(48) })))).toEqual([
    ['all.1', 'Use at most 50 groups of all, any and not.'],
  ])
})
