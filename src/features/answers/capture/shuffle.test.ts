import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorkspace } from '../../../testing/fixtures.ts'
import { startTestServer, type TestAnswer, type TestServer } from '../../../testing/harness.ts'
import { createDraft, publishSurvey, submit } from '../../../testing/survey-fixtures.ts'
import { openPage, sendPage } from './page/respondent.fixture.ts'

let server: TestServer
let token: string
beforeAll(async () => {
  server = await startTestServer()
  token = (await createWorkspace(server)).token
})
afterAll(() => server.close())

const LINES = Array.from('abcdefgh', (id) => ({ id, label: `Line ${id}` }))
const SURVEY = {
  metric: null,
  questions: [
    {
      id: 'q1',
      type: 'single',
      title: 'Which?',
      choices: LINES,
      allow_other: true,
      required: true,
      shuffle: 'all_but_last',
    },
    {
      id: 'grid',
      type: 'matrix',
      title: '{{ answer.q1 }}?',
      rows: LINES,
      columns: [{ id: 'yes', label: 'Yes' }],
      shuffle: 'all',
    },
    { id: 'fixed', type: 'multi', title: 'All?', choices: LINES },
  ],
}

function choicesOn(page: TestAnswer, question: string): string {
  return [...page.text.matchAll(new RegExp(`id="${question}\\.c\\.(\\w+)"`, 'g'))].map(([, id]) => id).join('')
}

function rowsOn(page: TestAnswer): string {
  return [...page.text.matchAll(/<legend>Line (\w)<\/legend>/g)].map(([, id]) => id).join('')
}

async function responseOf(surveyId: string) {
  return (await server.request('GET', `/v1/responses?survey_id=${surveyId}`, { token })).body.data[0]
}

test('each respondent has an order of their own, which stays on every page and is kept with the response', async () => {
  const id = await publishSurvey(server, token, SURVEY)
  const pages = await Promise.all(Array.from({ length: 8 }, () => openPage(server, id)))
  expect(new Set(pages.map((page) => choicesOn(page, 'q1'))).size).toBeGreaterThan(4)
  for (const page of pages) expect(choicesOn(page, 'q1')).toMatch(/^[a-g]{7}hother$/)

  const first = pages[0] as TestAnswer
  const order = choicesOn(first, 'q1')
  expect(choicesOn(await sendPage(server, first, []), 'q1'), 'after an error').toBe(order)
  const second = await sendPage(server, first, [['q1', 'a']])
  expect(choicesOn(second, 'fixed')).toBe('abcdefgh')
  const rows = rowsOn(second)
  expect(choicesOn(await sendPage(server, second, [], '_back'), 'q1'), 'after going back').toBe(order)
  await sendPage(server, second, [['grid.a', 'yes']])
  expect(await responseOf(id)).toMatchObject({
    state: 'completed',
    orders: { q1: [...order.replace('other', '')], grid: [...rows] },
  })
})

test('a client of the API shows its own order, so none is kept', async () => {
  const id = await publishSurvey(server, token, SURVEY)
  await submit(server, id, { q1: 'b' })
  expect((await responseOf(id)).orders).toEqual({})
})

test('at most 2,000 choices and rows are shuffled', async () => {
  const choices = Array.from({ length: 200 }, (_, index) => ({ id: `c${index}`, label: 'C' }))
  const questions = Array.from({ length: 11 }, (_, index) => ({
    id: `q${index}`,
    type: 'multi',
    title: 'T',
    choices,
    shuffle: 'all',
  }))
  const answer = await server.request('POST', '/v1/surveys', { token, body: { name: 'Large', questions } })
  expect(answer).toMatchObject({ status: 422, body: { issues: [{ path: 'questions' }] } })
})

test.each([
  [{ type: 'rating', scale: 5, style: 'star' }, ['★', '★', '★', '★', '★']],
  [{ type: 'rating', scale: 3, style: 'smiley' }, ['-7.0', '0.0', '7.0']],
  [{ type: 'csat', style: 'smiley' }, ['-7.0', '-3.5', '0.0', '3.5', '7.0']],
  [{ type: 'csat', style: 'number' }, []],
])('a scale %j shows %j, and a number to a screen reader', async (question, glyphs) => {
  const id = await publishSurvey(server, token, { metric: null, questions: [{ id: 'q1', title: 'T', ...question }] })
  const page = await openPage(server, id)
  // The bend of its mouth identifies a face.
  const shown = page.text.matchAll(/aria-hidden="true">(?:([^<]+)<|<svg.*?q6\.5 (\S+) )/g)
  expect([...shown].map(([, star, mouth]) => star ?? mouth)).toEqual(glyphs)
  expect(page.text.replace(/<span aria-hidden="true">.*?<\/span>/g, '')).toMatch(/<label for="q1\.3">(<span[^>]*>)?3</)
})

test('ten steps have no faces', async () => {
  const { id } = await createDraft(server, token)
  const questions = [{ id: 'q1', type: 'rating', title: 'T', scale: 10, style: 'smiley' }]
  expect(await server.request('PATCH', `/v1/surveys/${id}`, { token, body: { questions } })).toMatchObject({
    status: 422,
    body: { issues: [{ path: 'questions.0.style' }] },
  })
})
