import { expect, test } from 'vitest'
import { surveyWith } from '../../../survey-engine/survey.fixture.ts'
import { columnsOfQuestions } from './answer-cells.ts'

test('no step of listing columns makes those of more than one question', () => {
  const choices = Array.from({ length: 200 }, (_, n) => ({ id: `c${n}`, label: 'x' }))
  const questions = Array.from({ length: 50 }, (_, n) => ({ id: `q${n}`, type: 'multi' as const, title: 'T', choices }))
  const steps = columnsOfQuestions(surveyWith(questions), { labels: 'ids', language: null })
  expect([...steps].map((columns) => columns.length)).toEqual(Array.from({ length: 50 }, () => 200))
})
