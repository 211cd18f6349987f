import { expect, test } from 'vitest'
import { newId } from '../../../../platform/ids.ts'
import type { SurveyDefinition } from '../../../../survey-engine/model/definition.ts'
import { evaluate } from '../../../../survey-engine/logic/evaluation.ts'
import { renderForm } from './respondent.page.ts'

test('a page of 39,000 controls is drawn in slices, and others have their turn between them', async () => {
  const choices = Array.from({ length: 200 }, (_, n) => ({ id: `c${n}`, label: 'x' }))
  const questions = Array.from({ length: 195 }, (_, n) => ({ id: `q${n}`, type: 'multi', title: 'Which?', choices }))
  const definition = {
    default_language: 'en',
    languages: ['en'],
    questions,
    logic: [],
    variables: [],
    endings: [],
    custom_fields: [],
  } as unknown as SurveyDefinition
  const evaluation = evaluate(definition, { answers: {}, custom_data: {}, completed: false })
  let rounds = 0
  const count = () => {
    rounds += 1
    counting = setImmediate(count)
  }
  let counting = setImmediate(count)
  const page = String(
    await renderForm({
      kind: 'form',
      brand: {
        name: 'Acme',
        logoUrl: null,
        color: null,
        background: null,
        corners: 'rounded',
        layout: 'plain',
        font: 'system',
        fontUrl: null,
        coverUrl: null,
        embedOrigins: [],
      },
      surveyId: newId('survey'),
      definition,
      language: 'en',
      languages: ['en'],
      evaluation,
      questions: questions.map(({ id }) => id),
      fields: new Map(),
      errors: new Map(),
      hidden: [],
      page: 0,
      notice: null,
      orders: {},
      responseId: null,
    }),
  )
  clearImmediate(counting)
  expect(page.match(/type="checkbox"/g)).toHaveLength(195 * 200)
  expect(rounds).toBeGreaterThan(0)
})
