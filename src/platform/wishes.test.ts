import { expect, test } from 'vitest'
import { wishesIn, bestLanguage } from './wishes.ts'

test.each([
  ['sv, de;q=0.8', ['sv', 'de']],
  ['en;q=0.1, de;q=0.9', ['de', 'en']],
  ['de-AT,de ; Q=0.9,en;q=0', ['de-AT', 'de']],
  ['', ['']],
])('%s asks for its languages in the order of their weights', (header, tags) => {
  expect(wishesIn(header)).toEqual(tags)
})

test.each([
  [['sv', 'de-AT'], 'de'],
  [[null, undefined, 'PT-br', 'de'], 'pt'],
  [['*', '', 'constructor'], null],
])('of the wishes %j a page in German, Portuguese or English takes the first it has', (wishes, best) => {
  expect(bestLanguage(wishes, ['en', 'de', 'pt'])).toBe(best)
})
