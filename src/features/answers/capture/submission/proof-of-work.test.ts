import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorkspace, runSweep, type TestWorkspace } from '../../../../testing/fixtures.ts'
import { startTestServer, type TestAnswer, type TestServer } from '../../../../testing/harness.ts'
import { inviteToSurvey } from '../../../../testing/makers.ts'
import { recordEmail } from '../../../../testing/recording-email.ts'
import { publishSurvey } from '../../../../testing/survey-fixtures.ts'
import { dispatchSweeps } from '../../../outreach/messages/messages.feature.ts'
import { isProof } from './proof-of-work.ts'
import { openPage, sendPage } from '../page/respondent.fixture.ts'

const GUARDED = {
  metric: null,
  proof_of_work: true,
  questions: [
    { id: 'q1', type: 'rating', scale: 5, title: 'One' },
    { id: 'q2', type: 'rating', scale: 5, title: 'Two' },
  ],
}
const ANSWERS = { q1: 1, q2: 2 }
const TYPED: [string, string][] = [
  ['q1', '1'],
  ['q2', '2'],
]
const HELD = { state: 'quarantined', quality_flags: ['no_proof'] }
const TAKEN = { state: 'completed', quality_flags: [] }

let server: TestServer
let owner: TestWorkspace
let id: string
beforeAll(async () => {
  server = await startTestServer()
  owner = await createWorkspace(server)
  id = await publishSurvey(server, owner.token, GUARDED)
})
afterAll(() => server.close())

async function responses(survey = id) {
  const { body } = await server.request('GET', `/v1/responses?survey_id=${survey}`, { token: owner.token })
  return body.data
}

const startTokenOf = (page: TestAnswer) => /name="_begun" value="([^"]+)"/.exec(page.text)?.[1] ?? ''

function proofFor(startToken: string): string {
  for (let number = 0; ; number++) if (isProof(startToken, String(number))) return String(number)
}

async function start(survey = id): Promise<{ begun: string; proof: string }> {
  const begun = startTokenOf(await openPage(server, survey))
  return { begun, proof: proofFor(begun) }
}

const send = (page: object | undefined, more: object = {}, survey = id) =>
  server.request('POST', `/public/surveys/${survey}/responses`, { body: { answers: ANSWERS, page, ...more } })

test('a response with the proof for its start token is taken, and a repetition makes no second one', async () => {
  const page = await start()
  expect((await send(page)).body).toMatchObject({ state: 'completed' })
  const before = await responses()
  expect(before[0]).toMatchObject(TAKEN)
  await send(page)
  expect(await responses()).toHaveLength(before.length)
})

test('a form that a browser without scripts sends is thanked, held back with the reason, and can be released', async () => {
  const page = await openPage(server, id)
  server.clock.advance(60_000)
  const done = await sendPage(server, page, TYPED)
  expect(done.text).toContain('Your answers have been received.')
  const [held] = await responses()
  expect(held).toMatchObject(HELD)
  const freed = await server.request('POST', `/v1/responses/${held.id}/release`, { token: owner.token })
  expect(freed.body).toMatchObject({ state: 'completed', quality_flags: ['no_proof'] })
})

test('a form with the proof is taken', async () => {
  const page = await openPage(server, id)
  await sendPage(server, page, [...TYPED, ['_proof', proofFor(startTokenOf(page))]])
  expect((await responses())[0]).toMatchObject(TAKEN)
})

test('a proof holds for its own start token alone, and none holds without a start token of ours', async () => {
  const [one, other] = [await start(), await start()]
  const wrong = String(Number(one.proof) + 1)
  for (const page of [
    { begun: other.begun, proof: one.proof },
    { begun: one.begun, proof: isProof(one.begun, wrong) ? 'none' : wrong },
    { begun: one.begun },
    { begun: one.begun, proof: one.proof.padStart(21, '0') },
    { begun: one.begun, proof: '9'.repeat(100_000) },
    { proof: one.proof },
    {},
    undefined,
  ]) {
    const sent = await send(page, page?.begun ? { completed: false } : {})
    expect([page, sent.body.state]).toEqual([page, 'quarantined'])
    expect((await responses())[0].quality_flags).toEqual(['no_proof'])
  }
  const forged = { begun: 'forged', proof: proofFor('forged') }
  await send(forged)
  expect((await responses())[0].quality_flags).toEqual(['forged_start', 'no_proof'])
})

test('a response that began without a proof stays held when it goes on, whatever comes later', async () => {
  const page = await start()
  const { body } = await send({ begun: page.begun }, { completed: false, answers: { q1: 1 } })
  const done = await server.request('PATCH', `/public/responses/${body.token}`, {
    body: { answers: ANSWERS, completed: true, page: {} },
  })
  expect(done.body).toMatchObject({ state: 'quarantined' })
  await send(page)
  expect((await responses())[0]).toMatchObject(HELD)
})

test('a response that began with a proof goes on without one', async () => {
  const { body } = await send(await start(), { completed: false, answers: { q1: 1 } })
  await server.request('PATCH', `/public/responses/${body.token}`, { body: { answers: ANSWERS, completed: true } })
  expect((await responses())[0]).toMatchObject(TAKEN)
})

test('an invitation and a link that we made need no proof, and a token that anybody can make does', async () => {
  const mail = recordEmail(server)
  await inviteToSurvey(server, owner, id, { recipients: [{ email: 'grace@example.com' }] })
  await runSweep(server, dispatchSweeps.email)
  const token = /[?&]t(?:oken)?=([\w.~-]+)/.exec(mail.sent.at(-1)?.text ?? '')?.[1]
  expect((await send(undefined, { token })).body).toMatchObject({ state: 'completed' })

  const once = { ...GUARDED, dedupe: 'single_use' }
  const issued = await publishSurvey(server, owner.token, once)
  const links = await server.request('POST', `/v1/surveys/${issued}/links`, { token: owner.token, body: { count: 1 } })
  expect((await send(undefined, { token: links.body.tokens[0] }, issued)).body).toMatchObject({ state: 'completed' })

  const any = await publishSurvey(server, owner.token, { ...once, single_use_tokens: 'any' })
  expect((await send(undefined, { token: 'made-up' }, any)).body).toMatchObject({ state: 'quarantined' })
})

test('only the page of a survey that asks for a proof may run a worker, and names it', async () => {
  const open = await publishSurvey(server, owner.token, { ...GUARDED, proof_of_work: false })
  for (const survey of [id, id, open]) {
    const page = await openPage(server, survey)
    const asks = survey === id
    expect(page.headers.get('content-security-policy')?.includes("worker-src 'self'")).toBe(asks)
    expect(page.text.includes('"proof":{"src":"/assets/web/proof-')).toBe(asks)
  }
  expect((await send(undefined, {}, open)).body).toMatchObject({ state: 'completed' })
})

test('a preview asks for no proof', async () => {
  const { body } = await server.request('POST', `/v1/surveys/${id}/preview-links`, { token: owner.token })
  const page = await openPage(server, id, new URL(body.url).search)
  expect(page.text).not.toContain('"proof"')
  expect((await send(undefined, { token: body.token })).body).toMatchObject({ state: 'completed', preview: true })
})
