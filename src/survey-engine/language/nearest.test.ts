import { expect, test } from 'vitest'
import { surveyWith } from '../survey.fixture.ts'
import { languageFor, nearestLanguage } from './nearest.ts'

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
