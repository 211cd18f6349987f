import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId, parseId, type Id, type TenantId } from '../../../platform/ids.ts'
import { createWorkspace, type TestWorkspace } from '../../../testing/fixtures.ts'
import type { TestServer } from '../../../testing/harness.ts'
import { makeLiveSurvey } from '../../../testing/makers.ts'
import { sendToken } from '../../delivery/sends/send-secrets.ts'
import {
  addNumber,
  caller,
  postSigned,
  responsesOf,
  startCallbackServer,
  type Caller,
} from './twilio-callbacks.fixture.ts'

const TWO = {
  name: 'After delivery',
  metric: 'nps',
  languages: ['en', 'de'],
  questions: [
    {
      id: 'q1',
      type: 'nps',
      title: { en: 'How likely are you to recommend us?', de: 'Wie wahrscheinlich empfehlen Sie uns?' },
      required: true,
    },
    { id: 'q2', type: 'open_text', title: { en: 'Why {{answer.q1}}?', de: 'Warum {{answer.q1}}?' }, required: true },
  ],
}
const Q1 = 'How likely are you to recommend us? Please say or press a number from 0 to 10.'
const Q2 = 'Why 9? Please speak now.'

let server: TestServer
let workspace: TestWorkspace
let surveyId: string
let number: string
let path: string
let ada: Caller
beforeAll(async () => {
  server = await startCallbackServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  workspace = await createWorkspace(server)
  surveyId = await makeLiveSurvey(server, workspace, TWO)
  number = (await addNumber(server, workspace)).number
  path = `/public/twilio/voice/${surveyId}`
  ada = caller(server, path, { number })
})

const reasons = () =>
  server.peek<{ ended_reason: string }>('select ended_reason from conversations where call_id = $1', [ada.callId])

test('digits and speech answer a survey like every other channel', async () => {
  await server.request('POST', '/v1/webhooks', {
    token: workspace.token,
    body: { url: 'https://8.8.8.8/hooks', events: ['response.completed'] },
  })
  const first = await ada.begin()
  expect(first).toMatchObject({ said: `Welcome to Acme. ${Q1}`, language: 'en-US', action: `${path}?step=1` })
  expect(first.twiml).toContain('<Gather input="dtmf speech" ')
  expect(await ada.press('9')).toMatchObject({ said: Q2, action: `${path}?step=2` })
  expect(await ada.say('Because it was fast.')).toMatchObject({
    said: 'Thank you! Your answers have been received.',
    action: null,
  })
  expect(await responsesOf(server, workspace)).toMatchObject([
    {
      state: 'completed',
      channel: 'voice',
      language: 'en',
      answers: [{ value: 9 }],
      text: [{ value: 'Because it was fast.' }],
    },
  ])
  const ledger = await server.request('GET', '/v1/webhook-deliveries', { token: workspace.token })
  expect(ledger.body.data).toMatchObject([{ event: 'response.completed' }])
})

test('the same step again gets the same TwiML and changes nothing', async () => {
  const first = await ada.begin()
  const form = {
    CallSid: ada.callId,
    CallStatus: 'in-progress',
    From: ada.phone,
    To: number,
    Direction: 'inbound',
    Digits: '9',
  }
  const answers = await Promise.all(Array.from({ length: 10 }, () => postSigned(server, `${path}?step=1`, form)))
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
  expect((await postSigned(server, path, { ...form, Digits: '' })).text).toBe(first.twiml)
  const late = await postSigned(server, `${path}?step=7`, form)
  expect(late.text, 'a step that was never offered takes nothing').toContain('Why 9?')
  expect(await responsesOf(server, workspace)).toMatchObject([{ state: 'partial', answers: [{ value: 9 }], text: [] }])
})

test('what was heard with little confidence is read back before it is taken', async () => {
  await ada.begin()
  expect((await ada.say('nine', 0.3)).said).toBe(
    'I understood: nine. If that is right, press 1 or say yes. If not, press 2 or say no.',
  )
  expect(await responsesOf(server, workspace)).toMatchObject([{ state: 'started', answers: [] }])
  expect((await ada.say('No.')).said).toBe(Q1)
  expect((await ada.say('nine', 0.49)).said).toContain('I understood: nine')
  expect((await ada.press('1')).said).toBe(Q2)
  expect((await ada.say('Because', 0.1)).said).toContain('I understood: Because')
  expect((await ada.stayQuiet()).said).toBe(
    'Sorry, I did not hear you. I understood: Because. If that is right, press 1 or say yes. If not, press 2 or say no.',
  )
  expect((await ada.say('yes')).action).toBeNull()
  expect(await responsesOf(server, workspace)).toMatchObject([
    { state: 'completed', answers: [{ value: 9 }], text: [{ value: 'Because' }] },
  ])
})

test('digits, and speech of half a chance or more, are taken at once', async () => {
  await ada.begin()
  expect((await ada.say('nine', 0.5)).said).toBe(Q2)
})

test('three silences end the call politely, and a word between them begins the count again', async () => {
  await ada.begin()
  expect((await ada.stayQuiet()).said).toBe(`Sorry, I did not hear you. ${Q1}`)
  expect((await ada.stayQuiet()).said).toContain('I did not hear you')
  expect((await ada.press('9')).said).toBe(Q2)
  await ada.stayQuiet()
  await ada.stayQuiet()
  const last = await ada.stayQuiet()
  expect(last).toMatchObject({ said: 'I still cannot hear you. Thank you, and goodbye.', action: null })
  expect(last.twiml).toContain('<Hangup/>')
  expect(await responsesOf(server, workspace)).toMatchObject([{ state: 'partial', answers: [{ value: 9 }] }])
  expect(await reasons()).toEqual([{ ended_reason: 'silent' }])
})

test('what cannot be read is asked again twice, then the call ends', async () => {
  await ada.begin()
  expect((await ada.press('11')).said).toBe(`Sorry, I did not understand that. ${Q1}`)
  expect((await ada.say('well, you know', 0.2)).said).toContain('I did not understand')
  expect(await ada.say('hmm')).toMatchObject({ action: null })
  expect(await responsesOf(server, workspace)).toMatchObject([{ state: 'partial' }])
})

test('a person who hangs up leaves a partial response, and the call answers no more', async () => {
  await ada.begin()
  await ada.press('9')
  expect((await ada.hangUp()).twiml).toContain('<Response/>')
  expect(await responsesOf(server, workspace)).toMatchObject([{ state: 'partial', answers: [{ value: 9 }] }])
  expect(await reasons()).toEqual([{ ended_reason: 'hung_up' }])
  expect((await ada.hangUp()).twiml, 'told twice').toContain('<Response/>')
  expect((await ada.say('Because')).twiml).toContain('<Response/>')
})

test('the language of the number is spoken where the survey has it', async () => {
  const german = (await addNumber(server, workspace, { language: 'de' })).number
  const greta = caller(server, path, { number: german })
  const first = await greta.begin()
  expect(first).toMatchObject({
    language: 'de-DE',
    said: expect.stringMatching(/^Willkommen bei Acme\. Wie wahrscheinlich .* von 0 bis 10\.$/),
  })
  expect(first.twiml).toMatch(/<Gather [^>]*language="de-DE"/)
  expect((await greta.say('neun')).said).toContain('Warum 9?')
})

test('a person who wants no more calls says so and is left alone', async () => {
  await ada.begin()
  expect(await ada.say('stop calling me')).toMatchObject({
    said: 'All right, we will not call you again. Goodbye.',
    action: null,
  })
  const { body } = await server.request('GET', '/v1/suppression', { token: workspace.token })
  expect(body.data).toMatchObject([{ channel: 'voice', reason: 'stop_keyword', source: 'voice' }])
  expect(await responsesOf(server, workspace)).toMatchObject([{ state: 'partial' }])
})

test('a survey that takes no answers says so and hangs up', async () => {
  await server.request('POST', `/v1/surveys/${surveyId}/pause`, { token: workspace.token })
  expect(await ada.begin()).toMatchObject({
    said: 'This survey is not taking answers at the moment. Thank you!',
    action: null,
  })
})

test('callers without a number may answer too, and are told apart', async () => {
  const hidden = ['anonymous', '', '+266696687', '266696687', '+17378742833', '+2562533', '+86282452253', '+8656696']
  for (const phone of [...hidden, '']) {
    const one = caller(server, path, { number, phone })
    expect((await one.begin()).action, phone).not.toBeNull()
    await one.press('9')
  }
  expect(await responsesOf(server, workspace)).toHaveLength(hidden.length + 1)
  expect(
    await server.peek('select distinct masked from conversations where channel = $1 and number = $2', [
      'voice',
      number,
    ]),
  ).toEqual([{ masked: '' }])
})

test('an unknown, a foreign and a malformed survey are the same 404', async () => {
  const form = { CallSid: 'CA1', From: ada.phone, To: number, CallStatus: 'ringing' }
  const other = await createWorkspace(server)
  const theirs = sendToken(server.services.secrets, 'respond', {
    tenantId: parseId('workspace', other.workspaceId) as TenantId,
    id: newId('send'),
  })
  const paths = [
    '/public/twilio/voice/srv_01hzzzzzzzzzzzzzzzzzzzzzzz',
    '/public/twilio/voice/x',
    `${path}?send=x`,
    `${path}?send=${theirs}`,
  ]
  const answers = await Promise.all(paths.map((one) => postSigned(server, one, form)))
  expect(answers.map(({ status }) => status)).toEqual(paths.map(() => 404))
  expect(new Set(answers.map(({ body }) => JSON.stringify({ ...body, request_id: '' }))).size).toBe(1)
})

describe('a call of an invitation', () => {
  let sendId: Id<'send'>
  let token: string
  beforeEach(async () => {
    const tenantId = parseId('workspace', workspace.workspaceId) as TenantId
    sendId = newId('send')
    token = sendToken(server.services.secrets, 'respond', { tenantId, id: sendId })
    await server.peek(
      `insert into sends (tenant_id, id, invitation_id, survey_id, channel, reminder, first_send_id, status, address_hash, masked, language, attempts, created_at, accepted_at, provider_id)
       values ($1, $2, $2, $3, 'voice', 0, $2, 'accepted', 'hash', '+49*****20', 'de', 0, $4, $4, 'CAsend')`,
      [tenantId, sendId, parseId('survey', surveyId), server.clock.now()],
    )
    path = `/public/twilio/voice/${surveyId}?send=${token}`
    ada = caller(server, path, { number, outbound: true })
  })

  test('speaks the language of the invitation, carries its token on, and makes a response of it', async () => {
    const first = await ada.begin()
    expect(first.said).toMatch(/^Guten Tag, hier ist Acme\. .* drücken Sie die Sterntaste\. Wie wahrscheinlich/)
    expect(first.action).toBe(`/public/twilio/voice/${surveyId}?step=1&send=${token}`)
    expect(await responsesOf(server, workspace), 'a person who only picks up has not begun').toEqual([])
    await ada.press('9')
    expect((await ada.say('Schnell')).action).toBeNull()
    expect(await responsesOf(server, workspace)).toMatchObject([
      { state: 'completed', channel: 'voice', language: 'de' },
    ])
    const [send] = await server.peek<{ status: string; response_id: string | null }>(
      'select status, response_id from sends where id = $1',
      [sendId],
    )
    expect(send).toMatchObject({ status: 'completed', response_id: expect.any(String) })
  })

  test('ends without a response when nobody answers', async () => {
    await ada.begin()
    await ada.hangUp()
    expect(await responsesOf(server, workspace)).toEqual([])
    expect(await reasons()).toEqual([{ ended_reason: 'hung_up' }])
  })

  test('offers the star to a person who wants no more calls', async () => {
    await ada.begin()
    expect(await ada.press('*')).toMatchObject({
      said: 'In Ordnung, wir rufen Sie nicht mehr an. Auf Wiederhören.',
      action: null,
    })
    const { body } = await server.request('GET', '/v1/suppression', { token: workspace.token })
    expect(body.data).toMatchObject([{ channel: 'voice' }])
  })
})
