import { expect, test } from 'vitest'
import { changedAttributes } from './attributes.ts'

const BEFORE = { plan: 'pro', age: 41, vip: false, code: '007' }
const SAME = [
  { name: 'plan', text: 'pro' },
  { name: 'age', text: '41' },
  { name: 'vip', text: 'false' },
  { name: 'code', text: '007' },
]

test('attributes that nobody changed are not sent', () => {
  expect(changedAttributes(BEFORE, SAME)).toEqual({})
})

test('a changed attribute keeps its kind, and an emptied, renamed or removed one goes', () => {
  const drafts = [
    { name: 'plan', text: '12' },
    { name: 'age', text: '42' },
    { name: 'vip', text: ' ' },
    { name: 'number', text: '0.5' },
    { name: '', text: 'without a name' },
  ]
  expect(changedAttributes(BEFORE, drafts)).toEqual({ plan: '12', age: 42, vip: null, code: null, number: 0.5 })
})
