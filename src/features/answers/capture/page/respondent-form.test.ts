import { expect, test } from 'vitest'
import type { Question } from '../../../../survey-engine/model/definition.ts'
import { surveyWith } from '../../../../survey-engine/survey.fixture.ts'
import { pagesOf, questionsNamedIn, readPiped } from './respondent-form.ts'

const choices = (count: number) => Array.from({ length: count }, (_, n) => ({ id: `c${n}`, label: 'C' }))

test('a page ends before the question that would bring it past 2,500 controls', () => {
  const questions: Question[] = [
    ...Array.from({ length: 20 }, (_, n): Question => ({
      id: `q${n}`,
      type: 'multi',
      title: 'T',
      choices: choices(200),
    })),
    { id: 'm', type: 'matrix', title: 'T', rows: choices(50), columns: choices(50) },
    { id: 'r', type: 'ranking', title: 'T', choices: choices(50) },
    { id: 'last', type: 'open_text', title: 'T' },
  ]
  const pages = pagesOf(
    surveyWith(questions),
    questions.map(({ id }) => id),
  )
  expect(pages.map((page) => page.length)).toEqual([12, 8, 1, 1, 1])
  expect(pages.flat()).toEqual(questions.map(({ id }) => id))
})

test('the texts of a survey are read once for all visits, each in a step of its own', () => {
  const survey = surveyWith(
    Array.from({ length: 20 }, (_, n): Question => ({ id: `q${n}`, type: 'multi', title: 'T', choices: choices(200) })),
  )
  expect([...readPiped(survey)]).toHaveLength(20 * 201)
  expect([...readPiped(survey)]).toHaveLength(0)
})

test('the questions that a form names are found with one look at each name', () => {
  const names = ['q1', 'q1.other', 'm.row_1', '_lang', 'q10', ...Array.from({ length: 5_000 }, (_, n) => `a${n}`)]
  let looks = 0
  const fields = new Map(names.map((name) => [name, ['x']]))
  fields.keys = function* keys(this: typeof fields) {
    for (const [name] of this.entries()) {
      looks += 1
      yield name
    }
    return undefined
  } as typeof fields.keys
  const named = questionsNamedIn(fields)
  expect(looks).toBe(names.length)
  expect(['q1', 'm', 'q10', 'q', 'q2', 'row_1'].map((id) => named.has(id))).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
  ])
})
