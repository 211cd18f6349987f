import { expect, test } from 'vitest'
import { marked } from './marked.ts'

const found = (text: string, search: string) =>
  marked(text, search)
    .filter(({ isFound }) => isFound)
    .map(({ text: piece }) => piece)

test.each([
  ['The delivery was late', 'deliv*', ['delivery']],
  ['The delivery was late', 'DELIVERY late', ['delivery', 'late']],
  ['Late and no refund', '"no refund"', ['no', 'refund']],
  ['Late and no refund', 'late -refund', ['Late']],
  ['Late or never', 'late or never', ['Late', 'never']],
  ['<b>x</b> a+b (c', '(c', []],
  ['الخدمة ممتازة', 'ممتازة', ['ممتازة']],
  ['Nothing', '', []],
])('%s, searched for %s', (text, search, expected) => {
  expect(found(text, search)).toEqual(expected)
  expect(
    marked(text, search)
      .map(({ text: piece }) => piece)
      .join(''),
  ).toBe(text)
})
