import { describe, expect, test } from 'vitest'
import type { Question } from '../model/definition.ts'
import { answerIn, hasOtherUnchosen } from './answers.ts'
import { fieldsFrom } from './fields.ts'

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
