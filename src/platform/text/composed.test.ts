import { expect, test } from 'vitest'
import { composed, composeWithin } from './composed.ts'

test.each([
  ['cafe\u0301', 'café'],
  ['A\u030Angstro\u0308m \u212B', 'Ångström Å'],
  ['\u1112\u1161\u11ab', '한'],
  ['か\u3099', 'が'],
  ['plain', 'plain'],
  ['👍'.repeat(20), '👍'.repeat(20)],
])('%j is the text %j', (text, form) => {
  expect(composed(text)).toBe(form)
})

test('rows of marks without end, and texts that no schema takes, stay as they are', () => {
  const zalgo = `a${'\u0301\u0316'.repeat(9_000)}`
  expect(composed(zalgo)).toBe(zalgo)
  const long = 'e\u0301'.repeat(20_000)
  expect(composed(long)).toBe(long)
})

test('a JSON value has one form in its texts and names, up to a number of characters', () => {
  const value = { 'cle\u0301': ['e\u0301', { a: 'e\u0301' }, 1, null], 'e\u0301': 'e\u0301' }
  expect(composeWithin(value, { left: 100 })).toEqual({ clé: ['é', { a: 'é' }, 1, null], é: 'é' })
  expect(composeWithin(['e\u0301', 'e\u0301'], { left: 3 })).toEqual(['é', 'e\u0301'])
})
