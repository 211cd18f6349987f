import { expect } from 'vitest'
import type { TestAnswer, TestServer } from './harness.ts'

/** A draft with these members. Default: one NPS question. */
export async function createDraft(
  server: TestServer,
  token: string,
  body: Record<string, unknown> = {},
): Promise<TestAnswer['body']> {
  const questions = [{ id: 'q1', type: 'nps', title: 'How likely are you to recommend us?' }]
  const answer = await server.request('POST', '/v1/surveys', {
    token,
    body: { name: 'After delivery', metric: 'nps', questions, ...body },
  })
  expect(answer, answer.text).toMatchObject({ status: 201 })
  return answer.body
}

/** The id of a live survey with these members. */
export async function publishSurvey(
  server: TestServer,
  token: string,
  body: Record<string, unknown> = {},
): Promise<string> {
  const { id } = await createDraft(server, token, body)
  const answer = await server.request('POST', `/v1/surveys/${id}/publish`, { token })
  expect(answer, answer.text).toMatchObject({ status: 200 })
  return id
}

export function submit(
  server: TestServer,
  surveyId: string,
  answers: Record<string, unknown>,
  rest: Record<string, unknown> = {},
): Promise<TestAnswer> {
  return server.request('POST', `/public/surveys/${surveyId}/responses`, { body: { answers, ...rest } })
}

/** The stored form of the same choices, for a survey with every type of question but scores and words. */
export const STORED_CHOICES = {
  csat: 4,
  ces: 7,
  rating: 2,
  slider: 60,
  single: 'other',
  dropdown: 'b',
  multi: ['a', 'other'],
  picture: 'c',
  pictures: ['a', 'c'],
  ranking: ['c', 'a', 'b'],
  matrix: { speed: 'good', care: 'bad' },
  date: '2024-02-29',
  consent: true,
}
