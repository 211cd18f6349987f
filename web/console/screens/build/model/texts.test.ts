import { expect, test } from 'vitest'
import { aDraft } from './draft.fixture.ts'
import {
  addLanguage,
  coverage,
  lackingLanguages,
  removeLanguage,
  rowsOf,
  setFirstLanguage,
  setTextAt,
  textIn,
  withOptionalText,
  withText,
} from './texts.ts'

test('a survey of one language keeps plain texts, and the second language makes them objects', () => {
  const one = aDraft({ languages: ['en'] })
  expect(withText(undefined, 'Why?', one)).toBe('Why?')
  expect(withText('Why?', 'Warum?', addLanguage(one, 'de'), 'de')).toEqual({ en: 'Why?', de: 'Warum?' })
  expect(withOptionalText({ en: 'a', de: '' }, '', aDraft(), 'en')).toBeUndefined()
})

test('each language says how many of its texts are there', () => {
  const { of, done } = coverage(aDraft())
  expect([of, done.get('en'), done.get('de')]).toEqual([7, 7, 6])
  const added = coverage(addLanguage(aDraft(), 'es'))
  expect(added.done.get('es')).toBe(0)
  expect(lackingLanguages(addLanguage(aDraft(), 'es'))).toEqual([
    { language: 'de', missing: 1, of: 7 },
    { language: 'es', missing: 7, of: 7 },
  ])
})

test('a text is set at its path, and nothing else is another object', () => {
  const draft = aDraft()
  const next = setTextAt(draft, 'questions.1.choices.1.label', 'de', 'Tempo')
  expect(coverage(next).done.get('de')).toBe(7)
  expect(next.questions[0]).toBe(draft.questions[0])
  expect(rowsOf(draft).map(({ path }) => path)).toContain('questions.1.choices.1.label')
})

test('a language that is taken out takes its texts along, and the first one stays', () => {
  const draft = removeLanguage(aDraft({ messages: { de: { next: 'Los' } } }), 'de')
  expect(JSON.stringify(draft)).not.toContain('Empfehlen')
  expect([draft.languages, draft.messages]).toEqual([['en'], undefined])
  expect(removeLanguage(draft, 'en')).toBe(draft)
})

test('another first language keeps the words of the old one', () => {
  const draft = setFirstLanguage(aDraft({ languages: ['en'], endings: [{ id: 'e', title: 'Bye' }] }), 'fr')
  expect([draft.default_language, draft.languages]).toEqual(['fr', ['fr', 'en']])
  expect(textIn(draft.endings[0]?.title, 'en')).toBe('Bye')
})
