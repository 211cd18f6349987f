import { expect, test } from 'vitest'
import type { Person } from '../../../platform/personal.ts'
import { mentions } from './contacts.service.ts'

const person: Person = {
  addresses: [
    { kind: 'email', address: 'ada.lovelace@example.com', hash: 'a' },
    { kind: 'phone', address: '+4915123456789', hash: 'b' },
  ],
  responseIds: [],
  mentionedIn: [],
  personIds: [],
}

test.each([
  ['numbers', `${'7 '.repeat(99)}0151 23456789 ${'7 '.repeat(90)}`],
  ['many numbers', `${'4 8 1 5 1 6 2 3 '.repeat(40)}0151 23456789, 24/7`],
  ['spaces', `ada.lovelace@${' '.repeat(500)}example.com`],
  ['addresses', `${'a@example.org '.repeat(400)}ada.lovelace@example.com`],
])('%s around an address do not hide it', async (_, text) => {
  expect(await mentions(person, [text])).toBe(true)
})

test('a part of a longer number is not the number', async () => {
  for (let before = 380; before < 420; before++)
    expect(await mentions(person, [`${'x'.repeat(before)} 990151234567890 0151 2345678`])).toBe(false)
})

test('a search through many texts gives way to other requests, though each text is short', async () => {
  let turns = 0
  let next = setImmediate(function count() {
    turns += 1
    next = setImmediate(count)
  })
  const text = 'ask a@example.com or b@example.com '.repeat(20)
  for (let n = 0; n < 3_000; n++) await mentions(person, [text])
  clearImmediate(next)
  expect(turns).toBeGreaterThan(1)
})
