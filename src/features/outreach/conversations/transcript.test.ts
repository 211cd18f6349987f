import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createWorkspace, runSweep, type TestWorkspace } from '../../../testing/fixtures.ts'
import { startFakeTwilio, type FakeTwilio } from '../../../testing/providers/fake-twilio.ts'
import type { TestServer } from '../../../testing/harness.ts'
import { inviteToSurvey, makeLiveSurvey, submit } from '../../../testing/makers.ts'
import { dispatchSweeps } from '../messages/messages.feature.ts'
import { idleConversationsSweep } from './conversations.routes.ts'
import { addNumber, AUTH_TOKEN, caller, responsesOf, startCallbackServer, texter } from './twilio-callbacks.fixture.ts'

const HOUR_MS = 3_600_000
const TWO = {
  name: 'After delivery',
  questions: [
    { id: 'q1', type: 'nps', title: 'How likely?', required: true },
    { id: 'q2', type: 'open_text', title: 'Why {{answer.q1}}?', required: true },
  ],
}

let server: TestServer
let twilio: FakeTwilio
let workspace: TestWorkspace
let surveyId: string
let number: string
beforeAll(async () => {
  twilio = await startFakeTwilio({ authToken: AUTH_TOKEN })
  server = await startCallbackServer({ env: { TWILIO_BASE_URL: twilio.url, SMS_RATE_PER_SECOND: '1000' } })
})
afterAll(async () => {
  await server.close()
  await twilio.close()
})
beforeEach(async () => {
  server.clock.set(new Date('2026-03-02T10:00:00.000Z'))
  workspace = await createWorkspace(server)
  surveyId = await makeLiveSurvey(server, workspace, TWO)
  number = (await addNumber(server, workspace, { keywords: [{ keyword: 'NPS', survey_id: surveyId }] })).number
})

const read = (id: string, token = workspace.token) =>
  server.request('GET', `/v1/responses/${id}/conversation`, { token })
const latest = async () => (await responsesOf(server, workspace))[0].id

test('a conversation by SMS is read as it went: what was asked, what was not understood, and the reminder', async () => {
  const ada = texter(server, number)
  const at = server.clock.now().toISOString()
  await ada.text('NPS')
  await ada.text('Well…')
  await ada.text('9')
  server.clock.advance(4 * HOUR_MS)
  await runSweep(server, idleConversationsSweep)
  const later = server.clock.now().toISOString()
  await ada.text('Write to ada@example.com or call +49 30 901820')
  const { body } = await read(await latest())
  const us = { from: 'us', confidence: null }
  const person = { from: 'respondent', kind: 'reply', confidence: null }
  expect(body).toEqual({
    channel: 'sms',
    number,
    status: 'completed',
    turns: [
      { at, ...person, question_id: null, text: 'NPS' },
      { at, ...us, kind: 'opening', question_id: 'q1', text: 'How likely?\nReply with a number from 0 to 10.' },
      { at, ...person, question_id: 'q1', text: 'Well…' },
      { at, ...us, kind: 'repeat', question_id: 'q1', text: expect.stringContaining('I did not understand') },
      { at, ...person, question_id: 'q1', text: '9' },
      { at, ...us, kind: 'question', question_id: 'q2', text: 'Why 9?' },
      { at: later, ...us, kind: 'reminder', question_id: 'q2', text: expect.stringContaining('Shall we go on?') },
      { at: later, ...person, question_id: 'q2', text: 'Write to [address] or call [number]' },
      { at: later, ...us, kind: 'closing', question_id: null, text: expect.stringContaining('Thank you') },
    ],
  })
  expect(JSON.stringify(body)).not.toContain(ada.phone)
})

test('a call says how sure the provider was of each word, and is open until it ends', async () => {
  const ada = caller(server, `/public/twilio/voice/${surveyId}`, { number })
  await ada.begin()
  await ada.press('9')
  await ada.stayQuiet()
  await ada.say('Fast.', 0.4)
  const id = await latest()
  expect((await read(id)).body).toMatchObject({
    channel: 'voice',
    status: 'open',
    turns: [
      { from: 'us', kind: 'opening', question_id: 'q1' },
      { from: 'respondent', text: '9', confidence: null, question_id: 'q1' },
      { from: 'us', kind: 'question', question_id: 'q2' },
      { from: 'us', kind: 'repeat', question_id: 'q2' },
      { from: 'respondent', text: 'Fast.', confidence: 0.4 },
      { from: 'us', kind: 'repeat', text: expect.stringContaining('I understood: Fast.') },
    ],
  })
  await ada.hangUp()
  expect((await read(id)).body.status).toBe('hung_up')
})

test('an invitation is the first message of its conversation', async () => {
  const ada = texter(server, number, '+15005561977')
  await inviteToSurvey(server, workspace, surveyId, { channel: 'sms', recipients: [{ phone: ada.phone, name: 'Ada' }] })
  await runSweep(server, dispatchSweeps.sms)
  await ada.text('9')
  expect((await read(await latest())).body.turns).toMatchObject([
    { from: 'us', kind: 'opening', text: expect.stringMatching(/^Hello Ada, .*How likely\?/s) },
    { from: 'respondent', text: '9', question_id: 'q1' },
    { from: 'us', kind: 'question', question_id: 'q2' },
  ])
})

test('there is none for a response from the web, of another workspace, or that was deleted', async () => {
  await submit(server, surveyId, { answers: { q1: 9, q2: 'Fast.' } })
  expect((await read(await latest())).status).toBe(404)
  const ada = texter(server, number)
  await ada.text('NPS')
  await ada.text('9')
  const id = await latest()
  expect((await read(id)).status).toBe(200)
  expect((await read(id, (await createWorkspace(server)).token)).status).toBe(404)
  await server.request('DELETE', `/v1/responses/${id}`, { token: workspace.token })
  expect((await read(id)).status).toBe(404)
  expect(
    await server.peek(
      'select 1 from conversation_turns where exchange is not null and conversation_id is not null and tenant_id = (select tenant_id from conversations order by id desc limit 1)',
    ),
  ).toEqual([])
})

test('an anonymous survey keeps no words of its conversations', async () => {
  const anonymous = await makeLiveSurvey(server, workspace, { ...TWO, privacy: 'anonymous' })
  const other = (await addNumber(server, workspace, { keywords: [{ keyword: 'ANON', survey_id: anonymous }] })).number
  const ada = texter(server, other)
  await ada.text('ANON')
  await ada.text('9')
  expect(
    await server.peek(
      'select 1 from conversation_turns t join conversations c on c.tenant_id = t.tenant_id and c.id = t.conversation_id where t.exchange is not null and c.survey_id = (select survey_id from conversations order by id desc limit 1)',
    ),
  ).toEqual([])
})
