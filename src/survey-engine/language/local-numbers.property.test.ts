import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { evaluate } from '../logic/evaluation.ts'
import { asciiDigits, exactNumber, readLocalNumber, writeLocalNumber } from './local-numbers.ts'
import { joinAnswers, splitAnswers } from '../logic/stored-answers.ts'
import { surveyWith } from '../survey.fixture.ts'
import { propertyRuns } from '../../testing/property-runs.ts'

describe('a number as it is written in a language', () => {
  test.each([
    ['en', '1,234', '1234'],
    ['en', '1,234,567.50', '1234567.5'],
    ['en', '3.5', '3.5'],
    ['en', '3,5', null],
    ['en', '1,23', null],
    ['de', '3,5', '3.5'],
    ['de', '1,234', '1.234'],
    ['de', '1.234', '1234'],
    ['de', '1.234,5', '1234.5'],
    ['de', '3.5', '3.5'],
    ['de', '1.234.5', null],
    ['de', '0.123', '0.123'],
    ['de', '000.123', '0.123'],
    ['de', '-0.500', '-0.5'],
    ['en', '0,123', null],
    ['de-CH', "1'234.5", '1234.5'],
    ['de-CH', '1’234.5', '1234.5'],
    ['fr', '1 234,5', '1234.5'],
    ['fr', '1\u202f234,5', '1234.5'],
    ['es', '1.234,5', '1234.5'],
    ['it', '0,05', '0.05'],
    ['nl', '-2,5', '-2.5'],
    ['pt', '\u22122,5', '-2.5'],
    ['pl', '12 345 678,9', '12345678.9'],
    ['hi', '१२', '12'],
    ['hi', '12,34,567', '1234567'],
    ['en', '12,34,567', null],
    ['hi', '5,50', null],
    ['en-IN', '5,50', null],
    ['en-IN', '1,00,000.50', '100000.5'],
    ['en-IN', '1,234,567', '1234567'],
    ['en', '5²', null],
    ['en', '10³', null],
    ['en', '10½', null],
    ['en', '①', null],
    ['ja', '－１．５', '-1.5'],
    ['ja', '１，２３４', '1234'],
    ['ar', '١٢', '12'],
    ['ar', '٣٫٥', '3.5'],
    ['ar', '٣,٥', '3.5'],
    ['ar', '٣،٥', '3.5'],
    ['ar', '١٬٢٣٤٫٥', '1234.5'],
    ['en', '١٢', '12'],
    ['fa', '۱۲٫۵', '12.5'],
    ['en', '９', '9'],
    ['en', '+007', '7'],
    ['en', '-0', '0'],
    ['en', '1e3', '1000'],
    ['en', '98765432109876543210', '98765432109876543210'],
    ['en', '٩'.repeat(401), null],
    ['en', '', null],
    ['en', 'nine', null],
    ['en', '1 2', null],
    ['no language', '3.5', '3.5'],
  ])('%s %j is %s', (language, text, number) => {
    expect(readLocalNumber(text, language)).toBe(number)
  })

  test('is read as it was written, in every language', () => {
    const number = fc.oneof(
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.float({ noNaN: true, noDefaultInfinity: true }),
    )
    fc.assert(
      fc.property(
        number,
        fc.constantFrom('en', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'pl', 'ar', 'hi', 'sv', 'de-CH'),
        (value, language) => {
          const read = readLocalNumber(writeLocalNumber(value + 0, language), language)
          expect(Number(read)).toBe(value + 0)
        },
      ),
      propertyRuns(20_261_125, 100),
    )
  })

  test('grouped by Intl is read in every language', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -1e12, max: 1e12 }),
        fc.constantFrom('en', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'pl', 'ar', 'hi', 'ar-EG', 'fa'),
        (value, language) => {
          expect(readLocalNumber(new Intl.NumberFormat(language).format(value / 100), language)).toBe(
            String(value / 100 + 0),
          )
        },
      ),
      propertyRuns(20_261_125, 100),
    )
  })
})

test('every decimal digit of Unicode has its value', () => {
  const digits = Array.from({ length: 0x110000 }, (_, code) => code).filter(
    (code) => (code < 0xd800 || code > 0xdfff) && /\p{Nd}/u.test(String.fromCodePoint(code)),
  )
  expect(digits.length).toBeGreaterThan(600)
  const values = digits.map((code) => Number(asciiDigits(String.fromCodePoint(code))))
  expect(values).toEqual(digits.map((_, index) => index % 10))
})

test('a stored number keeps its value when it is judged again in another language', () => {
  const survey = surveyWith([{ id: 'n', type: 'open_text', title: 'T', format: 'number' }], { default_language: 'de' })
  const first = evaluate(survey, { answers: { n: '1,234' }, completed: true })
  expect(splitAnswers(survey, first.values).text).toEqual([{ question_id: 'n', value: '1.234' }])
  const stored = splitAnswers(survey, first.values)
  const again = evaluate(survey, { answers: joinAnswers(survey, stored.answers, stored.text), completed: true })
  expect(again.values).toEqual({ n: 1.234 })
  expect(evaluate(survey, { answers: { n: '1,234' }, completed: true, language: 'en' }).values).toEqual({ n: 1234 })
  // Kept before numbers were canonical.
  expect(joinAnswers(survey, [], [{ question_id: 'n', value: '12.500' }])).toEqual({ n: 12.5 })
  expect(exactNumber('12345678901234567890')).toBe('12345678901234567890')
})
