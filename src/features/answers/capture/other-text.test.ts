import { describe, expect, test } from 'vitest'
import type { Question } from '../../../survey-engine/model/definition.ts'
import { answerIn, hasOtherUnchosen } from './respondent-answers.ts'
import { readFields } from './respondent-form.ts'

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
    expect(answerIn(question, readFields('q.other=Fig'))).toEqual({ other: 'Fig' })
    expect(answerIn(question, readFields('q=&q.other=Fig'))).toEqual({ other: 'Fig' })
    expect(answerIn(question, readFields('q.other=+'))).toBeNull()
  })

  test('is one more choice where several may be chosen', () => {
    expect(answerIn(MULTI, readFields('q=a&q.other=Fig'))).toEqual(['a', { other: 'Fig' }])
    expect(answerIn(MULTI, readFields('q=a&q=other&q.other=Fig'))).toEqual(['a', { other: 'Fig' }])
    expect(answerIn(MULTI, readFields('q=a&q.other='))).toEqual(['a'])
  })

  test.each(ONE)('beside another choice of a $type question has to be settled by the respondent', (question) => {
    expect(hasOtherUnchosen(question, readFields('q=a&q.other=Fig'))).toBe(true)
    expect(hasOtherUnchosen(question, readFields('q=other&q.other=Fig'))).toBe(false)
    expect(hasOtherUnchosen(question, readFields('q=a&q.other='))).toBe(false)
    expect(hasOtherUnchosen({ ...question, allow_other: false } as Question, readFields('q=a&q.other=Fig'))).toBe(false)
  })
})
