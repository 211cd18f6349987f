import { describe, expect, test } from 'vitest'
import type { Question } from '../model/definition.ts'
import { completedWith, surveyWith } from '../survey.fixture.ts'
import { answerIn, hasOtherUnchosen, fieldsFrom } from './answers.ts'
import { errorsIn } from './errors.ts'

const typed = (body: string) => fieldsFrom(new URLSearchParams(body))

const choices = [
  { id: 'a', label: 'A' },
  { id: 'b', label: 'B' },
]
const MULTI: Question = { id: 'q', type: 'multi', title: 'T', choices, allow_other: true }
const ONE: Question[] = [
  { id: 'q', type: 'single', title: 'T', choices, allow_other: true },
  { id: 'q', type: 'dropdown', title: 'T', choices, allow_other: true },
  { id: 'q', type: 'picture', title: 'T', choices, allow_other: true },
]

describe('text under "Other"', () => {
  test.each(ONE)('is the answer of a $type question where nothing is chosen', (question) => {
    expect(answerIn(question, typed('q.other=Fig'))).toEqual({ other: 'Fig' })
    expect(answerIn(question, typed('q=&q.other=Fig'))).toEqual({ other: 'Fig' })
    expect(answerIn(question, typed('q.other=+'))).toBeNull()
  })

  test('is one more choice where several may be chosen', () => {
    expect(answerIn(MULTI, typed('q=a&q.other=Fig'))).toEqual(['a', { other: 'Fig' }])
    expect(answerIn(MULTI, typed('q=a&q=other&q.other=Fig'))).toEqual(['a', { other: 'Fig' }])
    expect(answerIn(MULTI, typed('q=a&q.other='))).toEqual(['a'])
  })

  test.each(ONE)('beside another choice of a $type question has to be settled by the respondent', (question) => {
    expect(hasOtherUnchosen(question, typed('q=a&q.other=Fig'))).toBe(true)
    expect(hasOtherUnchosen(question, typed('q=other&q.other=Fig'))).toBe(false)
    expect(hasOtherUnchosen(question, typed('q=a&q.other='))).toBe(false)
    expect(hasOtherUnchosen({ ...question, allow_other: false } as Question, typed('q=a&q.other=Fig'))).toBe(false)
  })
})

describe('"Other" without words', () => {
  const all: Question[] = [...ONE, MULTI]
  test.each(all)('is no answer to a $type question that needs one', (question) => {
    const definition = surveyWith([{ ...question, required: true } as Question])
    const several = question.type === 'multi'
    for (const raw of ['other', { other: '' }, { other: ' \u200b ' }, { other: '\u2800' }]) {
      const judged = completedWith(definition, { q: several ? [raw] : raw })
      expect(judged.issues, JSON.stringify(raw)).toEqual([
        { path: 'answers.q', message: 'Write the other answer in words; this question is required.' },
      ])
    }
    expect(completedWith(definition, { q: several ? [{ other: 'Fig' }] : { other: 'Fig' } }).issues).toEqual([])
  })

  test.each(all)('is told beside a $type question on the page', (question) => {
    const definition = surveyWith([{ ...question, required: true } as Question])
    const fields = typed('q=other&q.other=%E2%80%8B')
    const answers = { q: answerIn(question, fields) }
    const judged = completedWith(definition, answers)
    const told = (language: string) =>
      errorsIn({ definition, asked: definition.questions, typed: answers, judged, fields, language }).get('q')
    expect(told('en')).toBe('Please write your own answer.')
    expect(told('de')).toBe('Bitte schreiben Sie Ihre eigene Antwort.')
  })

  test('is an answer to an optional question, and beside another choice', () => {
    expect(completedWith(surveyWith([MULTI]), { q: ['other'] }).issues).toEqual([])
    const needed = surveyWith([{ ...MULTI, required: true } as Question])
    expect(completedWith(needed, { q: ['a', 'other'] }).issues).toEqual([])
  })
})
