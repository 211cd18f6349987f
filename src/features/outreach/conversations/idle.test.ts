import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { parseId } from '../../../platform/ids.ts'
import type { SmsMessage } from '../../../platform/ports/phone-port.ts'
import { PERMISSIONS } from '../../../platform/permissions.ts'
import { createApiKey, createWorkspace, runSweep, type TestWorkspace } from '../../../testing/fixtures.ts'
import { startFakeTwilio, type FakeTwilio } from '../../../testing/providers/fake-twilio.ts'
import type { TestServer } from '../../../testing/harness.ts'
import { makeLiveSurvey } from '../../../testing/makers.ts'
import { runRequests } from '../../trust/data-protection/person.fixture.ts'
import { idleConversationsSweep, oldConversationsSweep } from './conversations.routes.ts'
import {
  addNumber,
  AUTH_TOKEN,
  caller,
  responsesOf,
  startCallbackServer,
  texter,
  type Texter,
} from './twilio-callbacks.fixture.ts'

const HOUR_MS = 3_600_000
const TWO = {
  name: 'After delivery',
  questions: [
    { id: 'q1', type: 'nps', title: 'How likely?', required: true },
    { id: 'q2', type: 'open_text', title: 'Why?', required: true },
  ],
}

let server: TestServer
let twilio: FakeTwilio
let workspace: TestWorkspace
let surveyId: string
let numberId: string
let number: string
let ada: Texter
beforeAll(async () => {
  twilio = await startFakeTwilio({ authToken: AUTH_TOKEN })
  server = await startCallbackServer({ env: { TWILIO_BASE_URL: twilio.url } })
})
afterAll(async () => {
  await server.close()
  await twilio.close()
})
beforeEach(async () => {
  server.clock.set(new Date('2026-03-02T10:00:00.000Z'))
  workspace = await createWorkspace(server)
  // A session ends while these tests let time pass.
  workspace.token = (await createApiKey(server, workspace.token, [...PERMISSIONS])).key
  surveyId = await makeLiveSurvey(server, workspace, TWO)
  const added = await addNumber(server, workspace, { keywords: [{ keyword: 'NPS', survey_id: surveyId }] })
  numberId = added.id
  number = added.number
  ada = texter(server, number)
})
afterEach(async () => {
  await server.peek('delete from conversations')
  await server.peek('delete from conversation_turns')
  twilio.messages.length = 0
  twilio.optedOut.clear()
  twilio.refuseWith = null
})

const idle = () => runSweep(server, idleConversationsSweep)
const reasons = async () =>
  (await server.peek<{ ended_reason: string | null }>('select ended_reason from conversations order by id')).map(
    (row) => row.ended_reason,
  )

test('an idle conversation is reminded of once, then expires to partial', async () => {
  await ada.text('NPS')
  await ada.text('9')
  server.clock.advance(4 * HOUR_MS - 1)
  expect(await idle()).toBe(0)
  server.clock.advance(1)
  expect(await idle()).toBe(1)
  expect(twilio.messages).toMatchObject([{ to: ada.phone, body: 'You have not finished yet. Shall we go on?\n\nWhy?' }])
  expect(await idle()).toBe(0)
  server.clock.advance(20 * HOUR_MS)
  expect(await idle()).toBe(1)
  expect(twilio.messages).toHaveLength(1)
  expect(await responsesOf(server, workspace)).toMatchObject([{ state: 'partial', answers: [{ value: 9 }] }])
  expect(await server.peek('select sealed, ended_reason from conversations')).toEqual([
    { sealed: null, ended_reason: 'expired' },
  ])
})

test('a person who answers the reminder goes on, and is reminded no more', async () => {
  await ada.text('NPS')
  server.clock.advance(4 * HOUR_MS)
  await idle()
  expect(await ada.text('9')).toBe('Why?')
  server.clock.advance(5 * HOUR_MS)
  expect(await idle()).toBe(0)
  expect(await ada.text('Fast')).toContain('Thank you')
  expect(twilio.messages).toHaveLength(1)
})

test('a late answer is told so once, and the keyword begins again', async () => {
  await ada.text('NPS')
  server.clock.advance(4 * HOUR_MS)
  await idle()
  server.clock.advance(20 * HOUR_MS)
  await idle()
  expect(await responsesOf(server, workspace)).toMatchObject([{ state: 'partial', answers: [] }])
  expect(await ada.text('9')).toBe('This survey is over. Reply NPS to begin again.')
  expect(await ada.text('nps')).toContain('How likely?')
  expect(await responsesOf(server, workspace)).toMatchObject([{ state: 'started' }, { state: 'partial' }])
})

test('a conversation that expired while no worker ran ends in quiet hours too, and is not looked at again and again', async () => {
  await server.request('PATCH', '/v1/org', {
    token: workspace.token,
    body: { timezone: 'Europe/Berlin', quiet_hours: { start: '20:00', end: '08:00' } },
  })
  await texter(server, number, '+4930901820').text('NPS')
  server.clock.set(new Date('2026-03-03T21:30:00.000Z'))
  expect(await idle()).toBe(1)
  expect(await idle()).toBe(0)
  expect(await reasons()).toEqual(['expired'])
})

test('a reminder whose provider is slow does not hold up the reminders of another workspace', async () => {
  const other = await createWorkspace(server)
  const survey = await makeLiveSurvey(server, other, TWO)
  const line = await addNumber(server, other, { keywords: [{ keyword: 'NPS', survey_id: survey }] })
  const bob = texter(server, line.number)
  await ada.text('NPS')
  await bob.text('NPS')
  server.clock.advance(4 * HOUR_MS)
  const answered: string[] = []
  const bobReached = Promise.withResolvers<void>()
  twilio.onAccepted = async ({ to }) => {
    if (to === bob.phone) bobReached.resolve()
    // Not for ever, so that the test fails without a time of its own.
    else await Promise.race([bobReached.promise, pause(2_000)])
    answered.push(to)
  }
  expect(await idle()).toBe(2)
  twilio.onAccepted = null
  expect(answered).toEqual([bob.phone, ada.phone])
})

test('nobody is reminded in the quiet hours of the number, nor of the workspace', async () => {
  await server.request('PATCH', `/v1/inbound-numbers/${numberId}`, {
    token: workspace.token,
    body: { timezone: 'America/New_York', quiet_hours: { start: '08:00', end: '12:30' } },
  })
  // Of no country, so that the number shows where the person is.
  await texter(server, number, '+80012345678').text('NPS')
  // 14:00 UTC is 09:00 in New York.
  server.clock.advance(4 * HOUR_MS)
  expect(await idle()).toBe(1)
  expect(twilio.messages).toHaveLength(0)
  server.clock.advance(3.5 * HOUR_MS - 1)
  expect(await idle()).toBe(0)
  server.clock.advance(1)
  await idle()
  expect(twilio.messages).toHaveLength(1)

  await server.request('PATCH', '/v1/org', {
    token: workspace.token,
    body: { timezone: 'Europe/Berlin', quiet_hours: { start: '20:00', end: '08:00' } },
  })
  await server.request('PATCH', `/v1/inbound-numbers/${numberId}`, {
    token: workspace.token,
    body: { timezone: null, quiet_hours: null },
  })
  const bob = texter(server, number, '+4930901820')
  await bob.text('NPS')
  server.clock.set(new Date('2026-03-02T22:00:00.000Z'))
  await idle()
  expect(twilio.messages.filter(({ to }) => to === bob.phone)).toHaveLength(0)
  server.clock.set(new Date('2026-03-03T07:00:00.000Z'))
  await idle()
  expect(twilio.messages.filter(({ to }) => to === bob.phone)).toHaveLength(1)
})

test('nobody is reminded while it is night anywhere in the country of the phone', async () => {
  await server.request('PATCH', '/v1/org', {
    token: workspace.token,
    body: { timezone: 'Europe/Berlin', quiet_hours: { start: '21:00', end: '08:00' } },
  })
  const angela = texter(server, number, '+13105550123')
  server.clock.set(new Date('2026-03-02T06:00:00.000Z'))
  await angela.text('NPS')
  // 11:00 in Berlin, 02:00 in Los Angeles.
  server.clock.advance(4 * HOUR_MS)
  await idle()
  expect(twilio.messages).toEqual([])
  // 09:00 in Los Angeles, and 07:00 in Honolulu, where the number may be from as well.
  server.clock.set(new Date('2026-03-02T17:00:00.000Z'))
  await idle()
  expect(twilio.messages).toEqual([])
  server.clock.set(new Date('2026-03-02T19:00:00.000Z'))
  await idle()
  expect(twilio.messages).toMatchObject([{ to: angela.phone }])
})

test('where quiet hours leave no moment for a reminder, the conversation expires without one', async () => {
  await server.request('PATCH', `/v1/inbound-numbers/${numberId}`, {
    token: workspace.token,
    body: { quiet_hours: { start: '12:00', end: '11:00' } },
  })
  await texter(server, number, '+13105550124').text('NPS')
  server.clock.advance(4 * HOUR_MS)
  await idle()
  server.clock.advance(20 * HOUR_MS - 1)
  expect(await idle()).toBe(0)
  expect(await reasons()).toEqual([null])
  server.clock.advance(1)
  await idle()
  expect(await reasons()).toEqual(['expired'])
  expect(twilio.messages).toEqual([])
})

test('a person who is suppressed before the reminder gets none', async () => {
  await ada.text('NPS')
  await server.request('POST', '/v1/suppression', {
    token: workspace.token,
    body: { channel: 'sms', address: ada.phone },
  })
  server.clock.advance(4 * HOUR_MS)
  await idle()
  expect(twilio.messages).toEqual([])
  expect(await reasons()).toEqual(['stopped'])
})

test.each([
  ['suppressed', ['stopped']],
  ['erased', []],
  ['unanswerable', ['survey_closed']],
] as const)('a conversation that becomes %s while the reminder before it is sent gets none', async (change, ended) => {
  const bob = texter(server, number)
  await ada.text('NPS')
  server.clock.advance(1)
  await bob.text('NPS')
  server.clock.advance(4 * HOUR_MS)
  const { token } = workspace
  const before = server.services.factories.sms
  const sent: string[] = []
  const send = async ({ to }: SmsMessage) => {
    sent.push(to)
    if (change === 'suppressed')
      await server.request('POST', '/v1/suppression', { token, body: { channel: 'sms', address: bob.phone } })
    else if (change === 'erased') {
      const subject = { phone: bob.phone }
      await server.request('POST', '/v1/gdpr/requests', { token, body: { kind: 'erasure', subject } })
      await runRequests(server)
    } else await server.request('POST', `/v1/surveys/${surveyId}/close`, { token })
    return { providerId: 'one' }
  }
  Object.assign(server.services.factories, { sms: () => ({ send }) })
  await idle()
  Object.assign(server.services.factories, { sms: before })
  expect(sent).toEqual([ada.phone])
  expect(await reasons()).toEqual([null, ...ended])
})

test('a survey that closed meanwhile is not reminded of', async () => {
  await ada.text('NPS')
  await server.request('POST', `/v1/surveys/${surveyId}/close`, { token: workspace.token })
  server.clock.advance(4 * HOUR_MS)
  await idle()
  expect(twilio.messages).toEqual([])
  expect(await reasons()).toEqual(['survey_closed'])
})

test('a carrier that knows of an opt-out is believed', async () => {
  await ada.text('NPS')
  twilio.optedOut.add(ada.phone)
  server.clock.advance(4 * HOUR_MS)
  await idle()
  const { body } = await server.request('GET', '/v1/suppression', { token: workspace.token })
  expect(body.data).toMatchObject([{ channel: 'sms', reason: 'stop_keyword' }])
  expect(await reasons()).toEqual(['stopped'])
})

test('a provider that fails costs the reminder, and nothing else', async () => {
  await ada.text('NPS')
  twilio.refuseWith = { status: 500 }
  server.clock.advance(4 * HOUR_MS)
  expect(await idle()).toBe(1)
  twilio.refuseWith = null
  expect(await idle(), 'it does not come twice').toBe(0)
  expect(await ada.text('9')).toBe('Why?')
})

test('two workers remind once between them, with no transaction open', async () => {
  const people = Array.from({ length: 25 }, () => texter(server, ''))
  const [{ number }] = (await server.peek<{ number: string }>('select number from inbound_numbers where id = $1', [
    (await server.peek<{ id: string }>('select max(id::text) as id from inbound_numbers'))[0]?.id,
  ])) as [{ number: string }]
  for (const { phone } of people) await texter(server, number, phone).text('NPS')
  server.clock.advance(4 * HOUR_MS)
  const done = await Promise.all([idle(), idle()])
  expect(done[0] + done[1]).toBe(25)
  expect(new Set(twilio.messages.map(({ to }) => to)).size).toBe(25)
  expect(twilio.messages).toHaveLength(25)
})

test('a call that nobody reported as ended expires without a reminder', async () => {
  const [{ number }] = (await server.peek<{ number: string }>(
    'select number from inbound_numbers where id = (select max(id::text)::uuid from inbound_numbers)',
  )) as [{ number: string }]
  const call = caller(server, `/public/twilio/voice/${surveyId}`, { number })
  await call.begin()
  server.clock.advance(HOUR_MS / 4)
  await idle()
  expect(await reasons()).toEqual(['hung_up'])
  expect(twilio.messages).toEqual([])
})

test('conversations and turns go when their days are over, those that are open or have a response aside', async () => {
  server.clock.set(new Date())
  await ada.text('NPS')
  await ada.text('STOP')
  await ada.text('Hello?')
  server.clock.advance(364 * 24 * HOUR_MS)
  expect(await runSweep(server, oldConversationsSweep)).toBe(0)
  server.clock.advance(2 * 24 * HOUR_MS)
  // The words to STOP and Hello, which belong to no conversation.
  expect(await runSweep(server, oldConversationsSweep)).toBe(2)
  // One with a response keeps its words, and nothing of the person.
  expect(await server.peek('select address_hash, masked, opening from conversations')).toEqual([
    { address_hash: '', masked: '', opening: null },
  ])
  const [response] = await responsesOf(server, workspace)
  await server.request('DELETE', `/v1/responses/${response.id}`, { token: workspace.token })
  expect(await runSweep(server, oldConversationsSweep)).toBe(1)
  const own = [parseId('workspace', workspace.workspaceId)]
  for (const table of ['conversations', 'conversation_turns'])
    expect(await server.peek(`select 1 from ${table} where tenant_id = $1`, own)).toEqual([])
})
