import { describe, expect, test } from 'vitest'
import type { LocalizedText } from './definition.ts'
import { localize, surveyLanguages } from './text.ts'
import { AFTER_DELIVERY, surveyWith } from '../survey.fixture.ts'

describe('localize', () => {
  test.each<[string, LocalizedText, string, string]>([
    ['a plain string serves every language', 'Hello', 'de', 'Hello'],
    ['the exact language is preferred', { en: 'Hello', de: 'Hallo', 'de-AT': 'Servus' }, 'de-AT', 'Servus'],
    ['a region falls back to its language', { en: 'Hello', de: 'Hallo' }, 'de-CH', 'Hallo'],
    ['an unknown language falls back to the default', { de: 'Hallo', en: 'Hello' }, 'fr', 'Hello'],
    ['a blank translation counts as missing', { en: 'Hello', de: ' ' }, 'de', 'Hello'],
    ['any language is better than none', { it: 'Ciao' }, 'de', 'Ciao'],
    ['no translation is an empty text', {}, 'de', ''],
    ['a key of every object is no language', { en: 'Hello' }, 'constructor', 'Hello'],
  ])('%s', (_, text, language, expected) => {
    expect(localize(text, language, 'en')).toBe(expected)
  })
})

describe('the languages of a survey', () => {
  test('are those of its texts unless declared, the default first', () => {
    expect(surveyLanguages(AFTER_DELIVERY)).toEqual(['en', 'de'])
    expect(surveyLanguages({ ...AFTER_DELIVERY, default_language: 'fr' })).toEqual(['fr', 'en', 'de'])
  })

  test('are the declared ones where there are any', () => {
    expect(surveyLanguages({ ...AFTER_DELIVERY, languages: ['it', 'en'] })).toEqual(['en', 'it'])
  })

  test('count endings, labels and rows', () => {
    const definition = surveyWith(
      [
        { id: 'a', type: 'csat', title: 'T', low_label: { da: 'Lav' } },
        { id: 'b', type: 'matrix', title: 'T', rows: [{ id: 'r', label: { fi: 'Rivi' } }], columns: [] },
      ],
      { endings: [{ id: 'e', title: 'T', message: { sv: 'Tack' } }] },
    )
    expect(surveyLanguages(definition)).toEqual(['en', 'da', 'fi', 'sv'])
  })
})
