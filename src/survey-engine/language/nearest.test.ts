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
  ['en-IT', ['en-US', 'en-GB'], 'en-GB'],
  ['gsw-CH', ['en', 'de'], 'de'],
  ['lb', ['en', 'de'], 'de'],
  ['arz', ['en', 'ar'], 'ar'],
  ['de-999', ['en', 'de-AT'], 'de-AT'],
  ['en-Cyrl', ['en', 'en-Cyrl-GB'], 'en-Cyrl-GB'],
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

test('strangers do not fill the memory of the library, and it answers after all that they ask', () => {
  const tags = new Set<string>()
  const compare = vi.fn<typeof match>((wishes, languages, none) => {
    for (const tag of [...wishes, ...languages]) tags.add(tag)
    return wishes[0] === 'gsw' ? match(wishes, languages, none) : none
  })
  const findNearest = createMatcher(compare)
  const letters = [...'abcdefghijklmnopqrstuvwxyz']
  const languages = letters.flatMap((a) => letters.map((b) => a + b))
  const regions = Array.from({ length: 8 }, (_, n) => String(n + 100))
  for (const region of regions)
    for (const language of languages)
      findNearest(`${language}-${region}-u-nu-latn`, [`${language}-Goth-${region}`, `${language}-001`])
  for (const region of regions) findNearest('de', [`gsw-${region}-x-${region}`])
  expect(compare.mock.calls.length).toBeGreaterThan(1_200)
  expect(tags.size).toBeLessThan(1_000)
  expect([...tags].filter((tag) => /-[ux]-|Goth/.test(tag))).toEqual([])
  expect(findNearest('gsw', ['en', 'de'])).toBe('de')
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
