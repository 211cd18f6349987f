import { afterAll, beforeEach, expect, test } from 'vitest'
import { ProviderError } from '../../platform/ports/provider.ts'
import { Secret } from '../../platform/config/secrets.ts'
import { startFakeTwilio } from '../../testing/providers/fake-twilio.ts'
import { createTwilio, type Twilio } from './twilio.ts'

const MESSAGE = { to: '+4930901820', from: '+15005550006', body: 'How likely? 👍 + = & %' }
const CALL = {
  to: '+4930901820',
  from: '+15005550006',
  url: 'https://feedback.example/public/twilio/voice/srv_1?send=x',
}
const ACCOUNT = 'AC0123456789abcdef'
const MINUTE_MS = 60_000

const fake = await startFakeTwilio()
const open: Twilio[] = []
const connect = (authToken: string | null = 'tok_test_1', accountSid: string | null = ACCOUNT, baseUrl = fake.url) => {
  const twilio = createTwilio({ accountSid, authToken: authToken === null ? null : new Secret(authToken), baseUrl })
  open.push(twilio)
  return twilio
}
const twilio = connect()
beforeEach(() => {
  fake.messages.length = 0
  fake.calls.length = 0
  fake.optedOut.clear()
  fake.refuseWith = null
  fake.loseAnswers = false
  fake.now = () => new Date()
})
afterAll(async () => {
  await Promise.all(open.map((one) => one.close()))
  await fake.close()
})

async function refusal(work: Promise<unknown>): Promise<unknown> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  )
  if (!(error instanceof ProviderError)) return error
  expect(error.message).not.toContain(MESSAGE.to)
  return { code: error.code, verdict: error.verdict, retryAfter: error.retryAfter }
}

test('a message and a call are taken with what Twilio needs, and known by their sids', async () => {
  const sent = await twilio.sms.send({ ...MESSAGE, statusUrl: 'https://feedback.example/public/twilio/sms' })
  expect(fake.messages).toMatchObject([
    {
      sid: sent.providerId,
      fields: {
        To: MESSAGE.to,
        From: MESSAGE.from,
        Body: MESSAGE.body,
        StatusCallback: 'https://feedback.example/public/twilio/sms',
      },
    },
  ])
  const called = await twilio.voice.call(CALL)
  expect(fake.calls).toMatchObject([
    {
      sid: called.providerId,
      fields: { To: CALL.to, From: CALL.from, Url: CALL.url, Method: 'POST', StatusCallback: CALL.url },
    },
  ])
})

test.each([
  ['no number', { ...MESSAGE, to: '12' }, 'twilio_21211'],
  ['an empty message', { ...MESSAGE, body: '' }, 'twilio_21602'],
  ['one that is too long', { ...MESSAGE, body: 'x'.repeat(1_601) }, 'twilio_21617'],
])('%s is refused for good', async (_, message, code) => {
  expect(await refusal(twilio.sms.send(message))).toEqual({ code, verdict: 'refused', retryAfter: null })
})

test('who told Twilio itself to stop is refused for good, with a code that says so', async () => {
  fake.optedOut.add(MESSAGE.to)
  expect(await refusal(twilio.sms.send(MESSAGE))).toMatchObject({ code: 'twilio_21610', verdict: 'opted_out' })
})

test('what is wrong with the account or with Twilio may pass', async () => {
  expect(await refusal(connect('wrong').sms.send(MESSAGE))).toMatchObject({
    code: 'twilio_20003',
    verdict: 'not_taken',
  })
  for (const status of [401, 403, 404]) {
    fake.refuseWith = { status, body: '<html>no</html>' }
    expect(await refusal(twilio.sms.send(MESSAGE))).toMatchObject({ code: `twilio_${status}`, verdict: 'not_taken' })
  }
  fake.refuseWith = { status: 503, body: '<html>unavailable</html>', headers: { 'retry-after': '7' } }
  expect(await refusal(twilio.sms.send(MESSAGE))).toEqual({ code: 'twilio_503', verdict: 'unknown', retryAfter: 7 })
  fake.refuseWith = { status: 408 }
  expect(await refusal(twilio.sms.send(MESSAGE))).toMatchObject({ code: 'twilio_408', verdict: 'unknown' })
  expect(await refusal(connect(null).sms.send(MESSAGE))).toMatchObject({
    code: 'twilio_not_configured',
    verdict: 'refused',
  })
})

test('being throttled is told apart, with the time that was asked for', async () => {
  fake.refuseWith = {
    status: 429,
    body: JSON.stringify({ code: 20429, status: 429 }),
    headers: { 'retry-after': '12' },
  }
  expect(await refusal(twilio.sms.send(MESSAGE))).toEqual({
    code: 'twilio_20429',
    verdict: 'throttled',
    retryAfter: 12,
  })
  fake.refuseWith = { status: 400, body: JSON.stringify({ code: 21611, status: 400 }) }
  expect(await refusal(twilio.voice.call(CALL))).toMatchObject({ code: 'twilio_21611', verdict: 'throttled' })
})

const isNobodys = async () => false

test('an answer that was lost is found again, by the very message', async () => {
  const since = new Date()
  fake.loseAnswers = true
  expect(await refusal(twilio.sms.send(MESSAGE)), 'nobody knows').toBeInstanceOf(Error)
  fake.loseAnswers = false
  expect(await twilio.sms.findSent(MESSAGE, since, isNobodys)).toEqual({ providerId: fake.messages[0]?.sid })
  for (const other of [
    { ...MESSAGE, body: 'Another' },
    { ...MESSAGE, to: '+4930901821' },
    { ...MESSAGE, from: '+15005550007' },
  ]) {
    expect(await twilio.sms.findSent(other, since, isNobodys)).toBeNull()
  }
  expect(
    await twilio.sms.findSent(MESSAGE, new Date(since.getTime() + 6 * MINUTE_MS), isNobodys),
    'sent before',
  ).toBeNull()
})

test('a message is found behind hundreds of others, whether it was sent or waits', async () => {
  const since = new Date()
  const { providerId } = await twilio.sms.send(MESSAGE)
  for (let n = 0; n < 450; n++)
    fake.messages.push({ ...fake.messages[0]!, sid: `SM${n}`, body: `Message ${n}`, status: 'sent' })
  expect(await twilio.sms.findSent(MESSAGE, since, isNobodys)).toEqual({ providerId })
})

test('a call is found again by its two numbers and its time', async () => {
  const since = new Date()
  fake.now = () => new Date(since.getTime() - 6 * MINUTE_MS)
  await twilio.voice.call(CALL)
  for (const call of fake.calls) call.status = 'completed'
  expect(await twilio.voice.findCall(CALL, since, isNobodys)).toBeNull()
  fake.now = () => new Date()
  const { providerId } = await twilio.voice.call(CALL)
  for (const call of fake.calls) call.status = 'ringing'
  expect(await twilio.voice.findCall(CALL, since, isNobodys)).toEqual({ providerId })
})

test('a call that waits in Twilio’s queue has no date yet, and is found', async () => {
  const { providerId } = await twilio.voice.call(CALL)
  expect(fake.calls).toMatchObject([{ status: 'queued' }])
  expect(await twilio.voice.findCall(CALL, new Date(), isNobodys)).toEqual({ providerId })
})

test.each([-290, 290])(
  'what was taken is found although the clock of Twilio is %i seconds from ours',
  async (seconds) => {
    const since = new Date()
    fake.now = () => new Date(since.getTime() + seconds * 1000)
    await twilio.sms.send(MESSAGE)
    const latest = await twilio.sms.send(MESSAGE)
    const called = await twilio.voice.call(CALL)
    for (const call of fake.calls) call.status = 'ringing'
    expect(await twilio.sms.findSent(MESSAGE, since, isNobodys), 'the newest').toEqual(latest)
    expect(await twilio.voice.findCall(CALL, since, isNobodys)).toEqual(called)
  },
)

test('what belongs to another send is passed over, however alike', async () => {
  const since = new Date()
  const mine = await twilio.sms.send(MESSAGE)
  const anothers = await twilio.sms.send(MESSAGE)
  expect(await twilio.sms.findSent(MESSAGE, since, async (id) => id === anothers.providerId)).toEqual(mine)
  expect(await twilio.sms.findSent(MESSAGE, since, async () => true)).toBeNull()
})

test('an answer that is none is a fault on the way, not a success', async () => {
  for (const body of ['', 'null', '{"sid":5}', '<html>']) {
    fake.refuseWith = { status: 201, body }
    expect(await refusal(twilio.sms.send(MESSAGE)), body).toBeInstanceOf(Error)
  }
})

test('a base URL with a path is kept', async () => {
  const error = await refusal(connect('tok_test_1', ACCOUNT, `${fake.url}/proxy/`).sms.send(MESSAGE))
  expect(error).toMatchObject({ code: 'twilio_20404', verdict: 'not_taken' })
})
