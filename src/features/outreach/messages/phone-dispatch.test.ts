import { parseId } from '../../../platform/ids.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ProviderError } from '../../../platform/ports/provider.ts'
import { createWorkspace, runSweep, type TestWorkspace } from '../../../testing/fixtures.ts'
import { startFakeTwilio, type FakeTwilio } from '../../../testing/providers/fake-twilio.ts'
import { startTestServer, type TestServer } from '../../../testing/harness.ts'
import { inviteToSurvey, makeLiveSurvey } from '../../../testing/makers.ts'
import { dispatchSweeps, recoverSendsSweep } from './messages.feature.ts'

const GRACE = '+4915112345678'
const LEASE_MS = 180_000

let server: TestServer
let twilio: FakeTwilio
let owner: TestWorkspace
let surveyId: string
let numbers = 0
let ours: string
beforeAll(async () => {
  twilio = await startFakeTwilio()
  server = await startTestServer({
    env: {
      TWILIO_ACCOUNT_SID: 'AC0123456789abcdef',
      TWILIO_AUTH_TOKEN: 'tok_test_1',
      TWILIO_BASE_URL: twilio.url,
      SMS_RATE_PER_SECOND: '1000',
      VOICE_RATE_PER_SECOND: '1000',
      PUBLIC_BASE_URL: 'https://feedback.example.com',
    },
  })
  twilio.now = () => server.clock.now()
})
beforeEach(async () => {
  await server.peek(`update sends set status = 'cancelled', next_attempt_at = null where next_attempt_at is not null`)
  Object.assign(twilio, { refuseWith: null, loseAnswers: false })
  twilio.messages.length = 0
  twilio.calls.length = 0
  twilio.optedOut.clear()
  owner = await createWorkspace(server)
  surveyId = await makeLiveSurvey(server, owner)
  ours = `+1500555${String((numbers += 1)).padStart(4, '0')}`
})
afterAll(async () => {
  await server.close()
  await twilio.close()
})

const addNumber = () =>
  server.request('POST', '/v1/inbound-numbers', {
    token: owner.token,
    body: { number: ours, capabilities: ['sms', 'voice'], default_survey_id: surveyId },
  })
const invite = (channel: 'sms' | 'voice') =>
  inviteToSurvey(server, owner, surveyId, { channel, recipients: [{ phone: GRACE, name: 'Grace' }] })
const dispatch = (channel: 'sms' | 'voice') => runSweep(server, dispatchSweeps[channel])
const sends = async () => (await server.request('GET', '/v1/sends', { token: owner.token })).body.data
const records = async () => (await server.request('GET', '/v1/survey-deliveries', { token: owner.token })).body.data

test('without a number nobody is invited by phone', async () => {
  const answer = await server.request('POST', `/v1/surveys/${surveyId}/invite`, {
    token: owner.token,
    body: { channel: 'sms', recipients: [{ phone: GRACE }] },
  })
  expect([answer.status, answer.body.code]).toEqual([422, 'no_sender_number'])
})

test('an invitation by SMS puts the first question', async () => {
  await addNumber()
  await invite('sms')
  expect(await dispatch('sms')).toBe(1)
  expect(twilio.messages).toMatchObject([{ to: GRACE, from: ours }])
  expect(twilio.messages[0]?.body).toContain('How likely are you to recommend us?')
  expect(twilio.messages[0]?.body).toContain('STOP')
  expect(await sends()).toMatchObject([{ status: 'accepted', channel: 'sms', recipient: '+49*****78' }])
  expect(await records()).toMatchObject([{ survey_id: surveyId, channel: 'sms' }])
})

test('an invitation by phone has the provider ask what to say', async () => {
  await addNumber()
  await invite('voice')
  await dispatch('voice')
  expect(twilio.calls).toMatchObject([{ to: GRACE, from: ours }])
  expect(twilio.calls[0]?.url).toMatch(
    new RegExp(`^https://feedback\\.example\\.com/public/twilio/voice/${surveyId}\\?send=[\\w-]{64}$`),
  )
  expect(await sends()).toMatchObject([{ status: 'accepted', channel: 'voice' }])
})

describe('when the provider’s answer is lost', () => {
  test.each([
    ['sms', () => twilio.messages],
    ['voice', () => twilio.calls],
  ] as const)('%s: the provider is asked before anything is sent again', async (channel, taken) => {
    await addNumber()
    await invite(channel)
    twilio.loseAnswers = true
    await dispatch(channel)
    twilio.loseAnswers = false
    for (const record of taken()) record.status = 'sent'
    expect(await sends()).toMatchObject([{ status: 'calling' }])
    expect(await records()).toEqual([])
    expect(await runSweep(server, recoverSendsSweep)).toBe(0)
    server.clock.advance(LEASE_MS)
    expect(await runSweep(server, recoverSendsSweep)).toBe(1)
    await dispatch(channel)
    expect(taken()).toHaveLength(1)
    expect(await sends()).toMatchObject([{ status: 'accepted' }])
    expect(await records()).toHaveLength(1)
  })

  test.each([
    ['sms', () => twilio.messages],
    ['voice', () => twilio.calls],
  ] as const)('%s: what the person got a minute before is not taken for it', async (channel, taken) => {
    await addNumber()
    await invite(channel)
    await dispatch(channel)
    for (const record of taken()) record.status = 'sent'
    server.clock.advance(60_000)
    await invite(channel)
    twilio.refuseWith = { status: 503 }
    await dispatch(channel)
    twilio.refuseWith = null
    server.clock.advance(LEASE_MS)
    await runSweep(server, recoverSendsSweep)
    expect((await sends()).map((send: { status: string }) => send.status).toSorted()).toEqual(['accepted', 'queued'])
    expect(await records()).toHaveLength(1)
    server.clock.advance(60_000)
    await dispatch(channel)
    expect(taken()).toHaveLength(2)
    expect(await records()).toHaveLength(2)
  })

  test('and its own id is known already, it is found by it', async () => {
    await addNumber()
    await invite('sms')
    twilio.loseAnswers = true
    await dispatch('sms')
    twilio.loseAnswers = false
    for (const record of twilio.messages) record.status = 'sent'
    await server.peek(`update sends set provider_id = $1 where status = 'calling'`, [twilio.messages[0]?.sid])
    server.clock.advance(LEASE_MS)
    await runSweep(server, recoverSendsSweep)
    expect(await sends()).toMatchObject([{ status: 'accepted' }])
    expect(twilio.messages).toHaveLength(1)
  })

  test('and the provider never got it, it is sent', async () => {
    await addNumber()
    await invite('sms')
    twilio.refuseWith = { status: 500 }
    await dispatch('sms')
    twilio.refuseWith = null
    server.clock.advance(LEASE_MS)
    expect(await runSweep(server, recoverSendsSweep)).toBe(1)
    expect(await sends()).toMatchObject([{ status: 'queued', reason: 'interrupted' }])
    server.clock.advance(60_000)
    await dispatch('sms')
    expect(twilio.messages).toHaveLength(1)
    expect(await sends()).toMatchObject([{ status: 'accepted' }])
  })

  test('and never can tell, it is given up after five times', async () => {
    await addNumber()
    await invite('sms')
    twilio.refuseWith = { status: 500 }
    for (let round = 0; round < 5; round++) {
      await dispatch('sms')
      twilio.refuseWith = null
      server.clock.advance(LEASE_MS)
      await runSweep(server, recoverSendsSweep)
      twilio.refuseWith = { status: 500 }
      server.clock.advance(7_200_000)
    }
    expect(await sends()).toMatchObject([{ status: 'failed', reason: 'interrupted' }])
  })

  test('a recipient that cannot be opened keeps no other from being settled', async () => {
    await addNumber()
    await inviteToSurvey(server, owner, surveyId, {
      channel: 'sms',
      recipients: [{ phone: GRACE }, { phone: '+4915112345699' }],
    })
    twilio.loseAnswers = true
    await dispatch('sms')
    twilio.loseAnswers = false
    await server.peek(`update sends set recipient = 'v1.broken' where masked like '%99' and status = 'calling'`)
    server.clock.advance(LEASE_MS)
    await runSweep(server, recoverSendsSweep)
    const states = (await sends()).map(({ recipient, status }: { recipient: string; status: string }) => [
      recipient.slice(-2),
      status,
    ])
    expect(Object.fromEntries(states)).toEqual({ 78: 'accepted', 99: 'queued' })
  })
})

test('a person who told the carrier to stop is suppressed', async () => {
  await addNumber()
  await invite('sms')
  twilio.optedOut.add(GRACE)
  await dispatch('sms')
  expect(await sends()).toMatchObject([{ status: 'failed', reason: 'twilio_21610' }])
  const suppressed = await server.request('GET', '/v1/suppression', { token: owner.token })
  expect(suppressed.body.data).toMatchObject([{ channel: 'sms', reason: 'stop_keyword', source: 'provider' }])
})

test('a provider that takes no more for now is waited for', async () => {
  await addNumber()
  await invite('sms')
  twilio.refuseWith = { status: 429, headers: { 'retry-after': '30' }, body: '{"code":20429}' }
  await dispatch('sms')
  const [send] = await sends()
  expect(send).toMatchObject({ status: 'queued' })
  expect(new Date(send.send_at).getTime() - server.clock.now().getTime()).toBe(30_000)
})

test('and nobody else is called meanwhile', async () => {
  await addNumber()
  const recipients = Array.from({ length: 40 }, (_, n) => ({ phone: `+49151123457${String(n).padStart(2, '0')}` }))
  await inviteToSurvey(server, owner, surveyId, { channel: 'sms', recipients })
  let asked = 0
  const before = server.services.factories.sms
  Object.assign(server.services.factories, {
    sms: () => ({
      async send() {
        asked += 1
        throw new ProviderError('twilio_20429', 'throttled', 60)
      },
    }),
  })
  const postponed: Date[] = []
  const options = {
    limit: 100,
    signal: new AbortController().signal,
    renew: async () => true,
    postpone: (until: Date) => void postponed.push(until),
  }
  await server.services.run((system) => dispatchSweeps.sms.run(system, options))
  Object.assign(server.services.factories, { sms: before })
  // As many as were being called at that moment.
  expect(asked).toBeLessThanOrEqual(16)
  expect(postponed).toEqual([new Date(server.clock.now().getTime() + 60_000)])
})

test('an SMS that is cancelled while it waits for its turn leaves no conversation open', async () => {
  await addNumber()
  const recipients = Array.from({ length: 18 }, (_, n) => ({ phone: `+49151123458${String(n).padStart(2, '0')}` }))
  const { id } = await inviteToSurvey(server, owner, surveyId, { channel: 'sms', recipients })
  const hold = Promise.withResolvers<void>()
  let asked = 0
  const before = server.services.factories.sms
  const send = async () => {
    asked += 1
    await hold.promise
    return { providerId: `held-${asked}` }
  }
  Object.assign(server.services.factories, { sms: () => ({ send }) })
  const sending = dispatch('sms')
  await expect.poll(() => asked).toBe(16)
  await server.request('POST', `/v1/invitations/${id}/cancel`, { token: owner.token })
  server.clock.advance(1_000)
  hold.resolve()
  await sending
  Object.assign(server.services.factories, { sms: before })
  const open = await server.peek(
    `select s.status from conversations c join sends s on s.id = c.send_id and s.tenant_id = c.tenant_id
     where c.ended_at is null and s.survey_id = $1`,
    [parseId('survey', surveyId)],
  )
  expect(open).toEqual(Array(16).fill({ status: 'accepted' }))
})

test.each([
  ['cancelled', (id: string) => server.request('POST', `/v1/invitations/${id}/cancel`, { token: owner.token })],
  [
    'skipped',
    () => server.request('POST', '/v1/suppression', { token: owner.token, body: { channel: 'sms', address: GRACE } }),
  ],
] as const)(
  'an SMS that its provider did not take yet and that is %s leaves no conversation open',
  async (as, change) => {
    await addNumber()
    const { id } = await invite('sms')
    twilio.refuseWith = { status: 429, headers: { 'retry-after': '30' }, body: '{"code":20429}' }
    await dispatch('sms')
    const open = () =>
      server.peek('select 1 from conversations where ended_at is null and survey_id = $1', [
        parseId('survey', surveyId),
      ])
    expect(await open()).toHaveLength(1)
    twilio.refuseWith = null
    await change(id)
    server.clock.advance(30_000)
    await dispatch('sms')
    expect(await sends()).toMatchObject([{ status: as }])
    expect(await open()).toEqual([])
  },
)

test('a number’s own quiet hours go before those of the workspace', async () => {
  const { body } = await addNumber()
  const [from, to] = [0, 2].map((hours) =>
    new Date(server.clock.now().getTime() + hours * 3_600_000).toISOString().slice(11, 16),
  )
  const patched = await server.request('PATCH', `/v1/inbound-numbers/${body.id}`, {
    token: owner.token,
    body: { timezone: 'UTC', quiet_hours: { start: from, end: to } },
  })
  expect(patched.status, patched.text).toBe(200)
  const recipients = [{ phone: GRACE, timezone: 'UTC' }]
  expect(await inviteToSurvey(server, owner, surveyId, { channel: 'sms', recipients })).toMatchObject({
    accepted: 0,
    deferred: 1,
  })
  await dispatch('sms')
  expect(twilio.messages).toEqual([])
  server.clock.advance(2 * 3_600_000)
  await dispatch('sms')
  expect(twilio.messages).toHaveLength(1)
})
