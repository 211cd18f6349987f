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

test('a filter has at most 50 groups, though they test nothing', () => {
  const empty = (n: number) => Array.from({ length: n }, () => ({ all: [] }))
  expect(issuesOf(empty(49))).toEqual([])
  expect(issuesOf(Array.from({ length: 48 }, () => ({ all: empty(48) })))).toEqual([
    ['all.1', 'Use at most 50 groups of all, any and not.'],
  ])
})
