import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { SWEEPS } from '../../../platform/work/sweeps.ts'
import { createWorkspace, runSweep } from '../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../testing/harness.ts'
import { publishSurvey, submit } from '../../../testing/survey-fixtures.ts'
import { runRequests } from '../../trust/data-protection/person.fixture.ts'
import { newTextsSweep } from './verbatim.feature.ts'

const QUESTIONS = [
  { id: 'q1', type: 'nps', title: 'T' },
  { id: 'why', type: 'open_text', title: 'T' },
  { id: 'more', type: 'open_text', title: 'T' },
  { id: 'mail', type: 'open_text', title: 'T', format: 'email' },
  { id: 'who', type: 'contact', title: 'T' },
  { id: 'pick', type: 'single', title: 'T', choices: [{ id: 'a', label: 'A' }], allow_other: true },
  { id: 'end', type: 'single', title: 'T', choices: [{ id: 'out', label: 'Out' }] },
]

let server: TestServer
let token: string
let surveyId: string
let wakes = 0
beforeAll(async () => {
  server = await startTestServer({ env: { LOG_LEVEL: 'error' } })
  await server.services.bus.listen({ [SWEEPS]: { wake: () => void (wakes += 1) } })
})
beforeEach(async () => {
  ;({ token } = await createWorkspace(server))
  surveyId = await publishSurvey(server, token, {
    questions: QUESTIONS,
    logic: [{ when: { question: 'end', op: 'eq', value: 'out' }, then: [{ action: 'end', ending: 'out' }] }],
    endings: [
      { id: 'thanks', title: 'T' },
      { id: 'out', title: 'T', outcome: 'screened_out' },
    ],
  })
})
afterAll(() => server.close())

const index = () => runSweep(server, newTextsSweep)

async function save(answers: Record<string, unknown>, completed = true) {
  const made = await submit(server, surveyId, answers, { completed })
  expect(made, made.text).toMatchObject({ status: 201 })
  return made.body as { id: string; token: string; state: string }
}

async function found(op: string, value: string): Promise<string[]> {
  const filter = JSON.stringify({ all: [{ field: 'text', op, value }] })
  const list = await server.request('GET', `/v1/responses?${new URLSearchParams({ filter })}`, { token })
  expect(list, list.text).toMatchObject({ status: 200 })
  return list.body.data.map(({ id }: { id: string }) => id).toSorted()
}

/** Both operators find exactly these. */
async function expectFound(word: string, ids: string[]) {
  for (const op of ['contains', 'search']) expect(await found(op, word), `${op} ${word}`).toEqual(ids.toSorted())
}

test('search and contains find the same responses, in every state and in every text', async () => {
  const partial = await save({ why: 'Zebras everywhere' }, false)
  const done = await save({ q1: 9, why: 'zebras' })
  const held = await save({ q1: 3, why: 'Two zebras' })
  await server.request('POST', `/v1/responses/${held.id}/quarantine`, { token })
  const out = await save({ q1: 3, why: 'No zebras', end: 'out' })
  expect([partial.state, done.state, out.state]).toEqual(['partial', 'completed', 'screened_out'])
  const other = await save({ q1: 3, pick: { other: 'Some zebras' } })
  const mail = await save({ q1: 3, mail: 'zebras@example.com' })
  const who = await save({ q1: 3, who: { email: 'a@zebras.example' } })
  await index()
  await expectFound(
    'zebras',
    [partial, done, held, out, other, mail, who].map(({ id }) => id),
  )
  expect(await found('search', '"zebras example"')).toEqual([mail.id, who.id].toSorted())
  // Only completed responses have verbatim, and none of it is an address.
  const verbatim = await server.request('GET', '/v1/verbatim?search=zebras', { token })
  expect(verbatim.body.data.map((row: { response_id: string }) => row.response_id)).toEqual([other.id, done.id])
})

test('a report counts the same with both', async () => {
  await save({ q1: 3, why: 'zebra' }, false)
  await save({ q1: 3, why: 'zebra' })
  await index()
  const counts = async (op: string) => {
    const filter = JSON.stringify({ all: [{ field: 'text', op, value: 'zebra' }] })
    const query = new URLSearchParams({ filter })
    return (await server.request('GET', `/v1/surveys/${surveyId}/report?${query}`, { token })).body.counts
  }
  expect(await counts('search')).toEqual(await counts('contains'))
  expect(await counts('search')).toMatchObject({ total: 2 })
})

test('what an unfinished response no longer says is not found', async () => {
  const begun = await save({ why: 'zebra', more: 'giraffe' }, false)
  await index()
  await expectFound('zebra', [begun.id])
  const change = (answers: object) =>
    server.request('PATCH', `/public/responses/${begun.token}`, { body: { answers, completed: false } })
  expect((await change({ why: 'lion' })).status).toBe(200)
  await index()
  await expectFound('zebra', [])
  await expectFound('lion', [begun.id])
  expect((await change({ why: null, more: null })).status).toBe(200)
  await index()
  for (const word of ['lion', 'giraffe']) await expectFound(word, [])
  expect(await server.peek('select word from verbatim_words where word = any($1)', [['lion', 'giraff']])).toEqual([])
})

test('words of unfinished responses go with the response and with the person', async () => {
  const gone = await save({ why: 'okapi', mail: 'gone@example.com' }, false)
  const erased = await save({ why: 'okapi', mail: 'erased@example.com' }, false)
  await index()
  await expectFound('okapi', [gone.id, erased.id])
  await server.request('DELETE', `/v1/responses/${gone.id}`, { token })
  await expectFound('okapi', [erased.id])
  const body = { kind: 'erasure', subject: { email: 'erased@example.com' } }
  expect((await server.request('POST', '/v1/gdpr/requests', { token, body })).status).toBe(202)
  await runRequests(server)
  await expectFound('okapi', [])
  expect(await server.peek(`select word from verbatim_words where word = 'okapi'`)).toEqual([])
})

test('each save with texts brings the index forward, and no other', async () => {
  wakes = 0
  await save({ q1: 9 })
  expect(wakes).toBe(0)
  for (const completed of [true, false]) {
    wakes = 0
    await save({ q1: 9, why: 'zebra' }, completed)
    await new Promise((resume) => setImmediate(resume))
    expect(wakes).toBe(1)
  }
})

test('a preview of a topic finds the texts that the topic would have', async () => {
  const preview = (body: object) => server.request('POST', '/v1/topics/preview', { token, body })
  for (const why of ['The box was broken', 'Two boxes!', 'All was fine', 'My packages came late'])
    await save({ q1: 9, why, end: undefined })
  await index()
  const answer = await preview({ keywords: { en: ['box', 'packag*'] } })
  expect(answer, answer.text).toMatchObject({ status: 200 })
  expect(answer.body).toMatchObject({ count: { n: 3, exact: true }, of: { n: 4, exact: true } })
  expect(answer.body.sample.map(({ text }: { text: string }) => text).toSorted()).toEqual([
    'My packages came late',
    'The box was broken',
    'Two boxes!',
  ])
  const elsewhere = await publishSurvey(server, token, { questions: QUESTIONS })
  expect((await preview({ keywords: { en: ['box'] }, survey_ids: [elsewhere] })).body.of.n).toBe(0)
  expect((await preview({ keywords: { en: ['box'] }, survey_ids: ['srv_x'] })).body.code).toBe('unknown_survey')
  const topics = await server.request('GET', '/v1/topics', { token })
  expect(JSON.stringify(topics.body)).not.toContain('packag*')
})
