import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorkspace, type TestWorkspace } from '../../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../../testing/harness.ts'
import { makeLiveSurvey, NPS_SURVEY, submit } from '../../../../testing/makers.ts'

let server: TestServer
let owner: TestWorkspace
let token: string
beforeAll(async () => {
  server = await startTestServer()
  owner = await createWorkspace(server)
  token = owner.token
})
afterAll(() => server.close())

const call = async (method: string, path: string, body?: unknown) => {
  const answer = await server.request(method, `/v1${path}`, { token, body })
  expect(answer.status, answer.text).toBeLessThan(300)
  return answer.body
}

/** Publishes the survey with other words. */
async function reword(id: string, questions: object[]): Promise<void> {
  server.clock.advance(60_000)
  await call('PATCH', `/surveys/${id}`, { questions })
  await call('POST', `/surveys/${id}/publish`, {})
  server.clock.advance(60_000)
}

const rewordedIn = async (id: string, query = '') => {
  const { questions } = await call('GET', `/surveys/${id}/report${query}`)
  return Object.fromEntries(
    questions.map((each: { question_id: string; reworded: { version: number } | null }) => [
      each.question_id,
      each.reworded?.version ?? null,
    ]),
  )
}

const CHOICE = {
  id: 'why',
  type: 'single',
  title: 'Why?',
  choices: [
    { id: 'speed', label: 'Speed' },
    { id: 'price', label: 'Price' },
  ],
}
const SCORE = { id: 'q1', type: 'nps', title: 'How likely?' }
const make = () =>
  makeLiveSurvey(server, owner, { ...NPS_SURVEY, questions: [SCORE, CHOICE], custom_fields: [], logic: [] })

test('a report says which version changed the words of a question or of its choices after somebody had answered', async () => {
  const id = await make()
  // Nobody has answered, so nobody read the old words.
  await reword(id, [{ ...SCORE, title: 'How very likely?' }, CHOICE])
  expect(await rewordedIn(id)).toEqual({ q1: null, why: null })
  await submit(server, id, { answers: { q1: 9, why: 'speed' } })
  const [, price] = CHOICE.choices
  const relabelled = { ...CHOICE, choices: [{ id: 'speed', label: 'Slowness' }, price] }
  await reword(id, [{ ...SCORE, title: 'How very likely?' }, relabelled])
  expect(await rewordedIn(id)).toEqual({ q1: null, why: 3 })
  // Another choice, another translation and another order change no words.
  const more = { ...relabelled, choices: [price, { id: 'care', label: 'Care' }, { id: 'speed', label: 'Slowness' }] }
  const scored = { ...SCORE, title: { en: 'How very likely?', de: 'Wie wahrscheinlich?' } }
  await reword(id, [scored, more])
  expect(await rewordedIn(id)).toEqual({ q1: null, why: 3 })
  // A period after the change has answers to the new words alone.
  server.clock.advance(7_200_000)
  const later = `?from=${new Date(server.clock.now().getTime() - 3_600_000).toISOString()}`
  expect(await rewordedIn(id, later)).toEqual({ q1: null, why: null })
})
