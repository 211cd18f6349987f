import { expect, test } from 'vitest'
import type { Question } from '../../../survey-engine/model/definition.ts'
import { surveyWith } from '../../../survey-engine/survey.fixture.ts'
import { pagesOf, readPiped } from './respondent-form.ts'

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
