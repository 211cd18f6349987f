import { describe, expect, test } from 'vitest'
import type { AnswerValues } from '../model/definition.ts'
import { joinAnswers, splitAnswers } from './stored-answers.ts'
import { EVERY_TYPE, surveyWith } from '../survey.fixture.ts'

const DEFINITION = surveyWith(EVERY_TYPE)
const VALUES: AnswerValues = {
  contact: { name: 'Ada', email: 'ada@example.com' },
  words: 'Late again',
  single: { other: 'Fig' },
  multi: ['b', { other: 'Kiwi' }, 'c'],
  nps: 0,
  matrix: { speed: 'good' },
  ranking: ['c', 'a', 'b'],
  consent: false,
  number: 12.5,
  date: '2024-02-29',
}

test('answers hold no words of the respondent, and both lists keep the order of the questions', () => {
  expect(splitAnswers(DEFINITION, VALUES)).toEqual({
    answers: [
      { question_id: 'nps', type: 'nps', value: 0 },
      { question_id: 'single', type: 'single', value: 'other' },
      { question_id: 'multi', type: 'multi', value: ['b', 'other', 'c'] },
      { question_id: 'ranking', type: 'ranking', value: ['c', 'a', 'b'] },
      { question_id: 'matrix', type: 'matrix', value: { speed: 'good' } },
      { question_id: 'date', type: 'date', value: '2024-02-29' },
      { question_id: 'consent', type: 'consent', value: false },
    ],
    text: [
      { question_id: 'single', value: 'Fig' },
      { question_id: 'multi', value: 'Kiwi' },
      { question_id: 'words', value: 'Late again' },
      { question_id: 'number', value: '12.5' },
      { question_id: 'contact', value: { name: 'Ada', email: 'ada@example.com' } },
    ],
  })
})

test('joining what was split gives the same values', () => {
  const { answers, text } = splitAnswers(DEFINITION, VALUES)
  expect(joinAnswers(DEFINITION, answers, text)).toEqual(VALUES)
})

describe('an "other" without words', () => {
  test('leaves no text and survives the round trip', () => {
    const split = splitAnswers(DEFINITION, { single: { other: '' }, multi: [{ other: '' }] })
    expect(split.text).toEqual([])
    expect(joinAnswers(DEFINITION, split.answers, split.text)).toEqual({
      single: { other: '' },
      multi: [{ other: '' }],
    })
  })

  test('is what remains when the text was erased', () => {
    const { answers } = splitAnswers(DEFINITION, VALUES)
    const joined = joinAnswers(DEFINITION, answers, [])
    expect(joined['single']).toEqual({ other: '' })
    expect(joined['words']).toBeUndefined()
    expect(joined['contact']).toBeUndefined()
  })
})

test('a choice whose id is other stays a choice where no other answer is allowed', () => {
  const definition = surveyWith([{ id: 'q', type: 'single', title: 'T', choices: [{ id: 'other', label: 'Other' }] }])
  const { answers, text } = splitAnswers(definition, { q: 'other' })
  expect(joinAnswers(definition, answers, text)).toEqual({ q: 'other' })
})

test('answers to questions that the survey no longer has are left out', () => {
  const stored = [{ question_id: 'gone', type: 'nps', value: 3 } as const]
  expect(joinAnswers(DEFINITION, stored, [{ question_id: 'constructor', value: 'x' }])).toEqual({})
})
