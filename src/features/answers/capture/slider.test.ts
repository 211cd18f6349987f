import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorkspace } from '../../../testing/fixtures.ts'
import { startTestServer, type TestAnswer, type TestServer } from '../../../testing/harness.ts'
import { publishSurvey } from '../../../testing/survey-fixtures.ts'
import { openPage, sendPage } from './page/respondent.fixture.ts'

let server: TestServer
let token: string
beforeAll(async () => {
  server = await startTestServer()
  token = (await createWorkspace(server)).token
})
afterAll(() => server.close())

const SLIDER = {
  id: 'warm',
  type: 'slider',
  title: 'How warm?',
  min: -1,
  max: 1,
  step: 0.5,
  low_label: 'Cold',
  high_label: 'Hot',
}

function publish(...questions: object[]): Promise<string> {
  return publishSurvey(server, token, { metric: null, questions })
}

/** Sends the form as a browser without scripts does: a range always sends the number where it stands. */
async function leaveAt(page: TestAnswer, place: number | string): Promise<TestAnswer> {
  return sendPage(server, page, [['warm', String(place)]])
}

async function answersOf(id: string) {
  const { data } = (await server.request('GET', `/v1/responses?survey_id=${id}`, { token })).body
  return data.map(({ answers }: { answers: unknown }) => answers)
}

test('stands below its range until it is moved, and its label, hint and ends are tied to it', async () => {
  const page = await openPage(server, await publish(SLIDER))
  expect(page.text).toContain(
    '<input type="range" id="warm" name="warm" aria-describedby="warm.hint" min="-1.5" max="1" step="0.5" value="-1.5">',
  )
  expect(page.text).toContain('<label for="warm">How warm?</label>')
  expect(page.text).toContain('<span>-1 Cold</span><span>1 Hot</span>')
  expect(page.text).toContain(
    '<p class="hint" id="warm.hint">Move the slider to answer. At the start (-1.5) it does not count as an answer.</p>',
  )
})

test('gives no answer where nobody moved it, and one where somebody did', async () => {
  const id = await publish(SLIDER)
  expect((await leaveAt(await openPage(server, id), -1.5)).text).toContain('received')
  expect((await leaveAt(await openPage(server, id), -1)).text).toContain('received')
  expect((await leaveAt(await openPage(server, id), 0)).text).toContain('received')
  expect(await answersOf(id)).toEqual([
    [{ question_id: 'warm', type: 'slider', value: 0 }],
    [{ question_id: 'warm', type: 'slider', value: -1 }],
    [],
  ])
})

test('that is required asks to be moved', async () => {
  const id = await publish({ ...SLIDER, required: true })
  const again = await leaveAt(await openPage(server, id), -1.5)
  expect(again.status).toBe(422)
  expect(again.text).toContain('<p class="error" id="e-warm">Please answer this question.</p>')
  expect(again.text).toContain('aria-invalid="true" aria-describedby="e-warm warm.hint"')
  expect(await answersOf(id)).toEqual([])
})

test.each([['0.3'], ['7'], ['much']])(
  'refuses %s, which is no place of it, and stands at its start again',
  async (place) => {
    const id = await publish(SLIDER)
    const again = await leaveAt(await openPage(server, id), place)
    expect(again.status).toBe(422)
    expect(again.text).toContain('Please choose one of the numbers.')
    expect(again.text).toContain('value="-1.5"')
  },
)

test('shows the answer of a link, and an answer that was stored', async () => {
  const id = await publish(SLIDER, { id: 'why', type: 'open_text', title: 'Why {{answer.warm}}?' })
  expect((await openPage(server, id, '?warm=0.5')).text).toContain('value="0.5"')
  const second = await leaveAt(await openPage(server, id), 0.5)
  expect(second.text).toContain('Why 0.5?')
  expect((await sendPage(server, second, [], '_back', '1')).text).toContain('step="0.5" value="0.5"')
})

test('has a script that shows the number, and the policy allows those bytes; other pages do not have it', async () => {
  const page = await openPage(server, await publish(SLIDER))
  const script = /<script>([\s\S]*?)<\/script>/.exec(page.text)?.[1] ?? ''
  const hash = createHash('sha256').update(script).digest('base64')
  expect(page.headers.get('content-security-policy')).toContain(`; script-src 'sha256-${hash}' 'nonce-`)
  const plain = await openPage(server, await publish({ id: 'q', type: 'nps', title: 'T' }))
  expect(plain.text).not.toContain('<script>')
  expect(plain.headers.get('content-security-policy')).not.toContain(hash)
})

test('is refused by the API where a setting or an answer does not fit, with the reason', async () => {
  const bad = await server.request('POST', '/v1/surveys', {
    token,
    body: { name: 'Bad', questions: [{ ...SLIDER, step: 0.0001 }] },
  })
  expect(bad, bad.text).toMatchObject({ status: 422 })
  expect(bad.body.issues).toContainEqual(expect.objectContaining({ path: 'questions.0.step' }))
  const id = await publish(SLIDER)
  const answer = await server.request('POST', `/public/surveys/${id}/responses`, { body: { answers: { warm: 0.3 } } })
  expect(answer, answer.text).toMatchObject({
    status: 422,
    body: { issues: [{ path: 'answers.warm', message: 'Answer with a number from -1 to 1 in steps of 0.5.' }] },
  })
})
