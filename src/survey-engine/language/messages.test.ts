import { describe, expect, test } from 'vitest'
import { MESSAGE_KEYS, placeholdersIn } from '../words/message-keys.ts'
import { BUILT_IN, messagesFor, wordsLanguage } from './messages.ts'
import { readTurn } from '../talk/read-turn.ts'
import { wordsIn } from './reply-words.ts'
import { surveyWith } from '../survey.fixture.ts'
import { en } from '../words/en.ts'

const LANGUAGES = Object.keys(BUILT_IN)

describe.each(LANGUAGES)('the words in %s', (language) => {
  const words: Record<string, string | undefined> = BUILT_IN[language] ?? {}

  test('have every text, with the placeholders of the English one', () => {
    for (const [key, english] of Object.entries(en)) {
      expect(words[key], key).toBeTruthy()
      if (key.startsWith('errors_')) continue
      expect(placeholdersIn(words[key] ?? '').sort(), key).toEqual(placeholdersIn(english).sort())
    }
  })

  test('have a plural form for every number', () => {
    const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions()
    // Spanish, French, Italian and Portuguese have one for millions alone.
    const needed = pluralCategories.filter((form) => form !== 'many' || ['pl', 'ar'].includes(language))
    for (const form of needed) expect(words[`errors_${form}`], form).toBeTruthy()
  })

  test('say how to skip and how to agree in words that are understood', () => {
    const say = messagesFor(language)
    const skip = say('ask_or_skip').match(/\p{Lu}{3,}/u)?.[0] ?? say('ask_or_skip').split(' ').at(-1) ?? ''
    const question = { id: 'q', type: 'consent', title: 'T' } as const
    const read = (text: string) =>
      readTurn(text, {
        definition: surveyWith([question]),
        question,
        part: null,
        before: undefined,
        language,
        channel: 'sms',
        optional: true,
        today: null,
      })
    expect(read(skip)).toEqual({ skip: true })
    expect(read(say('yes'))).toEqual({ value: true })
    expect(read(say('no'))).toEqual({ value: false })
  })

  test('of numbers are understood from 0 to 10', () => {
    const question = { id: 'q', type: 'nps', title: 'T' } as const
    for (const [number, [word = '']] of wordsIn(language).numbers.entries()) {
      const reading = {
        definition: surveyWith([question]),
        question,
        part: null,
        before: undefined,
        language,
        channel: 'sms',
        optional: false,
        today: null,
      } as const
      expect(readTurn(word, reading), word).toEqual({ value: number })
    }
  })
})

test.each([
  ['en', 1, 'Please look at one question again.'],
  ['en', 2, 'Please look at 2 questions again.'],
  ['de-AT', 2, 'Bitte sehen Sie sich 2 Fragen noch einmal an.'],
  ['pl', 1, 'Proszę jeszcze raz sprawdzić jedno pytanie.'],
  ['pl', 3, 'Proszę jeszcze raz sprawdzić 3 pytania.'],
  ['pl', 5, 'Proszę jeszcze raz sprawdzić 5 pytań.'],
  ['pl', 22, 'Proszę jeszcze raz sprawdzić 22 pytania.'],
  ['ar', 2, 'يرجى مراجعة سؤالين.'],
  ['ar', 3, 'يرجى مراجعة 3 أسئلة.'],
  ['ar', 11, 'يرجى مراجعة 11 سؤالًا.'],
  ['ar', 100, 'يرجى مراجعة 100 سؤال.'],
  ['sv', 1, 'Please look at one question again.'],
])('in %s %i questions are counted in the form of the language', (language, n, text) => {
  expect(messagesFor(language)('errors', { n })).toBe(text)
})

describe('the words of a survey', () => {
  const survey = surveyWith([], {
    messages: {
      sv: { next: 'Nästa', errors_other: 'Titta på {n} frågor igen.' },
      'de-CH': { send: 'Abschicken' },
      de: { back: 'Retour' },
    },
  })

  test.each([
    ['sv', 'next', 'Nästa'],
    ['sv-FI', 'next', 'Nästa'],
    ['sv', 'back', 'Back'],
    ['de-CH', 'send', 'Abschicken'],
    ['de-CH', 'back', 'Retour'],
    ['de-CH', 'next', 'Weiter'],
    ['fr', 'next', 'Suivant'],
    ['constructor', 'next', 'Next'],
  ] as const)('in %s %s is %s', (language, key, text) => {
    expect(messagesFor(language, survey)(key)).toBe(text)
  })

  test('are counted too, and stand before the built-in ones', () => {
    expect(messagesFor('sv', survey)('errors', { n: 1_234 })).toBe('Titta på 1\u00a0234 frågor igen.')
  })

  test('cannot be given where no survey is at hand', () => {
    for (const key of ['help', 'gone', 'too_many', 'resubscribed']) expect(MESSAGE_KEYS).not.toContain(key)
    expect(MESSAGE_KEYS.length).toBeGreaterThan(70)
  })
})

test('a value that looks like a placeholder is not filled again', () => {
  expect(messagesFor('en')('greeting_name', { name: '{workspace}', workspace: 'Acme' })).toBe(
    'Hello {workspace}, Acme would like to hear from you.',
  )
})

test('a language that nobody translated has the words of English', () => {
  expect([wordsLanguage('pt-BR'), wordsLanguage('sv'), wordsLanguage('constructor')]).toEqual(['pt', 'en', 'en'])
})
