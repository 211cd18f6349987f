import { match } from '@formatjs/intl-localematcher'
import { expect, test, vi } from 'vitest'
import { surveyWith } from '../survey.fixture.ts'
import { createMatcher, languageFor, nearestByRules, nearestLanguage } from './nearest.ts'

test.each([
  ['de', ['en', 'de'], 'de'],
  ['DE', ['en', 'de'], 'de'],
  ['de-AT', ['en', 'de'], 'de'],
  ['de_DE', ['en', 'de'], 'de'],
  ['de-AT', ['en', 'de', 'de-AT'], 'de-AT'],
  ['de', ['en', 'de-CH'], 'de-CH'],
  ['pt', ['en', 'pt-BR'], 'pt-BR'],
  ['pt-PT', ['en', 'pt-BR'], 'pt-BR'],
  ['pt-AO', ['en', 'pt-BR', 'pt-PT'], 'pt-PT'],
  ['zh-TW', ['en', 'zh-Hant'], 'zh-Hant'],
  ['zh-HK', ['en', 'zh-Hans', 'zh-Hant'], 'zh-Hant'],
  ['zh-CN', ['en', 'zh-Hant', 'zh-Hans'], 'zh-Hans'],
  ['zh', ['en', 'zh-Hans', 'zh-Hant'], 'zh-Hans'],
  ['es-MX', ['en', 'es', 'es-419'], 'es-419'],
  ['en-GB', ['de', 'en-US'], 'en-US'],
  ['no', ['en', 'nb'], 'nb'],
  ['nn-NO', ['en', 'nb'], 'nb'],
  ['sr-Latn', ['en', 'sr'], 'sr'],
  ['iw', ['en', 'he'], 'he'],
  ['xx', ['en', 'de'], null],
  ['*', ['en', 'de'], null],
  ['', ['en', 'de'], null],
  ['not a tag', ['en', 'de'], null],
  ['x'.repeat(10_000), ['en', 'de'], null],
  ['ja', [], null],
])('%j of %j is %j', (wish, languages, nearest) => {
  expect(nearestLanguage([wish], languages)).toBe(nearest)
})

test('the first wish that has a language wins, else the default', () => {
  const survey = surveyWith([], { default_language: 'en', languages: ['en', 'de', 'pt-BR'] })
  expect(languageFor(survey, ['ja', 'pt-PT', 'de'])).toBe('pt-BR')
  expect(languageFor(survey, [null, undefined, 'ja'])).toBe('en')
  expect(languageFor(survey, [...Array.from({ length: 50 }, (_, n) => `q${n}`), 'de'])).toBe('de')
})

test('strangers do not fill the memory of the library with languages that they make up', () => {
  const languages = Array.from({ length: 250 }, (_, n) => `en-${String(n).padStart(3, '0')}`)
  const wishes = Array.from({ length: 100 }, (_, n) => `de-${String(n).padStart(3, '0')}-u-nu-latn-x-${n}`)
  const pairs = new Set<string>()
  const compare = vi.fn(match)
  const findNearest = createMatcher(compare)
  for (const wish of wishes) findNearest(wish, languages)
  for (const [[wish = ''], known] of compare.mock.calls) for (const each of known) pairs.add(`${wish} ${each}`)
  expect(pairs.size).toBeGreaterThan(0)
  expect(pairs.size).toBeLessThanOrEqual(20_000)
  expect([...pairs].filter((pair) => pair.includes('-u-'))).toEqual([])
  expect(findNearest('de-AT', ['en', 'de']), 'plain rules still find it').toBe('de')
})

test('languages that nobody speaks are not compared', () => {
  const compare = vi.fn(match)
  const findNearest = createMatcher(compare)
  for (let n = 0; n < 500; n++)
    findNearest(`q${String.fromCharCode(97 + (n % 20), 97 + (Math.floor(n / 20) % 26))}`, ['en'])
  expect(compare.mock.calls.length).toBeLessThan(10)
  expect(findNearest('gsw', ['en', 'de'])).toBe('de')
})

test.each([
  ['de-AT', ['en', 'de'], 'de'],
  ['pt-PT', ['en', 'pt-BR', 'pt-PT'], 'pt-PT'],
  ['zh-TW', ['zh-Hans', 'zh-Hant'], 'zh-Hant'],
  ['zh-TW', ['zh-Hans'], null],
  ['ja', ['en', 'de'], null],
])('plain rules find for %j in %j: %j', (wish, languages, nearest) => {
  expect(nearestByRules(wish, languages)).toBe(nearest)
})
