import { afterAll, beforeAll, expect, test } from 'vitest'
import { PERMISSIONS } from '../../../../platform/permissions.ts'
import { createApiKey, createWorkspace } from '../../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../../testing/harness.ts'
import { publishSurvey, submit } from '../../../../testing/survey-fixtures.ts'

let server: TestServer
let token: string
beforeAll(async () => {
  server = await startTestServer()
  token = (await createApiKey(server, (await createWorkspace(server)).token, [...PERMISSIONS])).key
})
afterAll(() => server.close())

const QUESTIONS = [
  { id: 'q1', type: 'nps', title: 'Recommend?', required: true },
  { id: 'q2', type: 'rating', title: 'Delivery?', scale: 5 },
  { id: 'q3', type: 'open_text', title: 'More?' },
]
const LOGIC = [{ when: { question: 'q1', op: 'lte', value: 6 }, then: [{ action: 'jump', to: 'q3' }] }]
const COUNTED = { field: 'state', op: 'not_one_of', value: ['quarantined', 'deleted'] }

interface Asked {
  question_id: string
  reached: number
  dropped_off: number
}

async function call(method: string, path: string, body?: unknown) {
  const answer = await server.request(method, path, { token, body })
  expect(answer.status, answer.text).toBeLessThan(300)
  return answer.body
}

/** How many responses each reader of a filter finds. */
async function found(surveyId: string, tests: object[]): Promise<number[]> {
  const filter = { all: [{ field: 'survey_id', op: 'eq', value: surveyId }, ...tests] }
  const text = encodeURIComponent(JSON.stringify(filter))
  const list = await call('GET', `/v1/responses?limit=100&count=true&filter=${text}`)
  const query = { source: 'responses', measure: 'count', survey_ids: [surveyId], filter }
  const { figures } = await call('POST', '/v1/figures', { period: { days: 7 }, queries: { n: query } })
  const rows = await call('POST', '/v1/export-runs/preview', {
    source: 'responses',
    survey_id: surveyId,
    filter,
    format: 'csv',
  })
  return [list.data.length, list.count.matching.n, figures.n.n, rows.count.n]
}

/** Responses that end in each way, at each question. */
async function answer(surveyId: string): Promise<void> {
  const begin = (answers: object) => submit(server, surveyId, { ...answers }, { completed: false })
  await submit(server, surveyId, { q1: 9, q2: 4, q3: 'Words' })
  await submit(server, surveyId, { q1: 3, q3: 'Words' })
  await begin({})
  for (const q1 of [9, 10]) await begin({ q1 })
  for (const q1 of [1, 2, 3]) await begin({ q1 })
  const gone = (await begin({ q1: 9 })).body
  await call('POST', `/v1/responses/${gone.id}/quarantine`)
  const late = (await begin({ q1: 9 })).body
  await server.request('DELETE', `/v1/responses/${late.id}`, { token })
  const ended = (await begin({ q1: 9 })).body
  const patch = { body: { answers: { q2: 5 }, completed: true } }
  expect((await server.request('PATCH', `/public/responses/${ended.token}`, patch)).status).toBe(200)
}

test('a filter finds as many responses as the report counts at a question, in every version of the survey', async () => {
  const id = await publishSurvey(server, token, { questions: QUESTIONS, logic: LOGIC })
  await answer(id)
  const next = { id: 'q4', type: 'open_text', title: 'Anything else?' }
  await call('PATCH', `/v1/surveys/${id}`, { questions: [QUESTIONS[0], QUESTIONS[2], next], logic: [] })
  await call('POST', `/v1/surveys/${id}/publish`)
  await submit(server, id, { q1: 9 }, { completed: false })
  const { questions } = await call('GET', `/v1/surveys/${id}/report`)
  const counts = (questions as Asked[]).map(({ question_id, reached, dropped_off }) => [
    question_id,
    reached,
    dropped_off,
  ])
  expect(counts).toEqual([
    ['q1', 10, 1],
    ['q3', 7, 4],
    ['q4', 0, 0],
    ['q2', 4, 2],
  ])
  for (const [question = '', reached = 0, droppedOff = 0] of counts) {
    const dropped = { field: 'dropped_off', op: 'eq', value: question }
    expect(await found(id, [dropped]), `dropped_off ${question}`).toEqual(Array(4).fill(droppedOff))
    // As a report under this filter counts it, too.
    const query = new URLSearchParams({ filter: JSON.stringify({ all: [dropped] }) })
    expect((await call('GET', `/v1/surveys/${id}/report?${query}`)).counts.total, `report of ${question}`).toBe(
      droppedOff,
    )
    const came = { field: 'reached', op: 'eq', value: question }
    expect(await found(id, [came, COUNTED]), `reached ${question}`).toEqual(Array(4).fill(reached))
  }
  const sum = counts.reduce((all, [, , n]) => all + Number(n), 0)
  expect(await found(id, [{ field: 'dropped_off', op: 'is_set' }])).toEqual(Array(4).fill(sum))
})

test('the questions of a survey are the values of these fields', async () => {
  const id = await publishSurvey(server, token, { questions: QUESTIONS })
  const fieldsOf = async (query: string) => (await call('GET', `/v1/fields?entity=responses${query}`)).data
  for (const field of ['reached', 'dropped_off']) {
    const named = (list: Array<{ field: string }>) => list.find((each) => each.field === field)
    expect(named(await fieldsOf(`&survey_id=${id}`))).toMatchObject({
      type: 'choice',
      list: field === 'reached',
      values: QUESTIONS.map(({ id: value, title: label }) => ({ value, label })),
      export: false,
    })
    expect(named(await fieldsOf(''))).toMatchObject({ type: 'text', values: null })
  }
})

test('these filters find nothing of an anonymous survey', async () => {
  const id = await publishSurvey(server, token, { questions: QUESTIONS, privacy: 'anonymous' })
  for (let n = 0; n < 6; n++) await submit(server, id, { q1: 9 }, { completed: false })
  for (let n = 0; n < 6; n++) await submit(server, id, { q1: 9, q2: 4, q3: 'Words' })
  for (const tests of [[{ field: 'dropped_off', op: 'is_set' }], [{ field: 'reached', op: 'eq', value: 'q1' }]])
    expect(await found(id, tests)).toEqual([0, 0, 0, 0])
})
