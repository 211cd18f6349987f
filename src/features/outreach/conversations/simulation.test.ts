import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApiKey, createWorkspace, type TestWorkspace } from '../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../testing/harness.ts'
import { createDraft } from '../../../testing/survey-fixtures.ts'

const QUESTIONS = [
  {
    id: 'q1',
    type: 'nps',
    title: { en: 'How likely, {{custom.name|friend}}?', de: 'Wie wahrscheinlich?' },
    required: true,
  },
  {
    id: 'q2',
    type: 'ranking',
    title: { en: 'Rank them', de: 'Ordnen Sie' },
    choices: [
      { id: 'a', label: 'Price' },
      { id: 'b', label: 'Speed' },
    ],
  },
]

let server: TestServer
let workspace: TestWorkspace
let surveyId: string
beforeAll(async () => {
  server = await startTestServer()
  workspace = await createWorkspace(server)
  surveyId = (await createDraft(server, workspace.token, { questions: QUESTIONS, custom_fields: ['name'] })).id
})
afterAll(() => server.close())

const simulate = (body: object, token = workspace.token) =>
  server.request('POST', `/v1/surveys/${surveyId}/simulate`, { token, body })

test('a draft is run turn by turn, as the conversations would, and nothing is stored', async () => {
  const { status, body } = await simulate({
    channel: 'sms',
    turns: ['great', 'help', '9/10', 'b, a'],
    custom_data: { name: 'Ada' },
  })
  expect(status).toBe(200)
  expect(body.turns).toMatchObject([
    {
      heard: null,
      say: 'How likely, Ada?\nReply with a number from 0 to 10.',
      question: 'q1',
      understood: true,
      state: 'asking',
    },
    {
      heard: 'great',
      say: expect.stringContaining('did not understand'),
      question: 'q1',
      understood: false,
      state: 'asking',
    },
    { heard: 'help', say: expect.stringContaining('Acme'), question: 'q1', understood: true, state: 'asking' },
    { heard: '9/10', question: 'q2', understood: true },
    { heard: 'b, a', say: 'Thank you! Your answers have been received.', question: null, state: 'completed' },
  ])
  expect(body).toMatchObject({ state: 'completed', language: 'en', answers: { q1: 9, q2: ['b', 'a'] } })
  expect(body.lint).toEqual([{ path: 'questions.1', message: 'People have to write the whole order in one message.' }])
  for (const table of ['conversations', 'conversation_turns', 'responses'])
    expect(await server.peek(`select 1 from ${table}`)).toEqual([])
})

test('each channel is put its own way, in the language that is asked for', async () => {
  expect((await simulate({ channel: 'voice', turns: ['neun'], language: 'de' })).body).toMatchObject({
    language: 'de',
    turns: [
      { say: 'Wie wahrscheinlich? Bitte sagen oder drücken Sie eine Zahl von 0 bis 10.' },
      { state: 'completed' },
    ],
    lint: [{ path: 'questions.1', message: 'People find it hard to say an order; the question is left out of calls.' }],
  })
  expect((await simulate({ channel: 'web' })).body).toMatchObject({ state: 'asking', lint: [] })
})

test('what ends a conversation ends the simulation', async () => {
  expect((await simulate({ turns: ['stop please', '9'] })).body).toMatchObject({
    state: 'stopped',
    turns: [{}, { say: '', question: null }],
  })
  expect((await simulate({ turns: ['x', 'y', 'z', '9'] })).body).toMatchObject({
    state: 'partial',
    turns: [{}, {}, {}, { state: 'partial', understood: false }],
  })
})

test('any member may, and a draft that cannot be asked is a problem', async () => {
  const { key } = await createApiKey(server, workspace.token, [])
  expect((await simulate({}, key)).status).toBe(200)
  expect((await simulate({ custom_data: { unknown: 1 } })).status).toBe(422)
  const { id } = await createDraft(server, workspace.token, { metric: null, questions: [] })
  expect((await server.request('POST', `/v1/surveys/${id}/simulate`, { token: workspace.token })).status).toBe(422)
})
