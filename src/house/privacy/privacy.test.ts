import { afterAll, beforeAll, expect, test } from 'vitest'
import { dispatchSweeps, recoverSendsSweep } from '../../features/outreach/messages/messages.feature.ts'
import { recoverNotificationsSweep } from '../../features/delivery/notifications/notifications.feature.ts'
import { createLog } from '../../platform/config/log.ts'
import { startFakeResend, type FakeResend } from '../../testing/providers/fake-resend.ts'
import { startFakeTwilio, type FakeTwilio } from '../../testing/providers/fake-twilio.ts'
import { createWorkspace, runSweep, type TestWorkspace } from '../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../testing/harness.ts'
import { makeLiveSurvey } from '../../testing/makers.ts'

// The people of this file: nothing that is kept, logged or answered in the clear may name them.
const EMAIL = 'very.private.person@example.com'
const PHONE = '+4915198765432'
const NAME = 'Wilhelmina Unmistakable'
const TRACES = [/very\.private/i, /4915198765432|15198765432/, /Unmistakable/]

let server: TestServer
let resend: FakeResend
let twilio: FakeTwilio
let owner: TestWorkspace
let surveyId: string
const lines: string[] = []
const answers: string[] = []
beforeAll(async () => {
  resend = await startFakeResend()
  twilio = await startFakeTwilio()
  server = await startTestServer({
    log: createLog('trace', { write: (line) => void lines.push(line) }),
    env: {
      EMAIL_PROVIDER: 'resend',
      RESEND_API_KEY: resend.apiKey,
      RESEND_BASE_URL: resend.url,
      EMAIL_RATE_PER_SECOND: '1000',
      TWILIO_ACCOUNT_SID: 'AC0123456789abcdef',
      TWILIO_AUTH_TOKEN: 'tok_test_1',
      TWILIO_BASE_URL: twilio.url,
      SMS_RATE_PER_SECOND: '1000',
      VOICE_RATE_PER_SECOND: '1000',
    },
  })
  owner = await createWorkspace(server)
  surveyId = await makeLiveSurvey(server, owner)
  await call('POST', '/v1/webhooks', { url: 'https://8.8.8.8/hook' })
  await call('POST', '/v1/notification-subscriptions', { event: 'survey.sent', channel: 'email' })
  await call('POST', '/v1/inbound-numbers', {
    number: '+15005550006',
    capabilities: ['sms', 'voice'],
    default_survey_id: surveyId,
  })
})
afterAll(async () => {
  await server.close()
  await resend.close()
  await twilio.close()
})

async function call(method: string, path: string, body?: object, headers: Record<string, string> = {}) {
  const answer = await server.request(method, path, { token: owner.token, ...(body && { body }), headers })
  answers.push(answer.text)
  return answer
}

const invite = (channel: 'email' | 'sms' | 'voice') =>
  call(
    'POST',
    `/v1/surveys/${surveyId}/invite`,
    {
      channel,
      recipients: [
        { email: EMAIL, phone: PHONE, name: NAME },
        { email: `${EMAIL}\n`, phone: `${PHONE}x` },
      ],
    },
    { 'idempotency-key': `${channel}-${answers.length}` },
  )

test('neither records, events, log lines nor errors name whom a survey was sent to', async () => {
  // Accepted, refused for good, refused for now, and lost on the way.
  await invite('email')
  await runSweep(server, dispatchSweeps.email)
  resend.answers.push({ status: 422, body: { name: 'validation_error', message: `Invalid \`to\`: ${EMAIL}` } })
  await invite('email')
  await runSweep(server, dispatchSweeps.email)
  resend.answers.push({ status: 500, body: { name: `oops ${EMAIL}`, message: EMAIL } })
  await invite('email')
  await runSweep(server, dispatchSweeps.email)
  await invite('sms')
  twilio.refuseWith = {
    status: 400,
    body: JSON.stringify({ code: 21211, message: `The 'To' number ${PHONE} is not valid` }),
  }
  await runSweep(server, dispatchSweeps.sms)
  twilio.refuseWith = null
  await invite('sms')
  twilio.loseAnswers = true
  await runSweep(server, dispatchSweeps.sms)
  twilio.loseAnswers = false
  await invite('voice')
  await runSweep(server, dispatchSweeps.voice)
  server.clock.advance(120_000)
  await runSweep(server, recoverSendsSweep)
  await runSweep(server, recoverNotificationsSweep)

  const emailId = resend.emails[0]?.id ?? ''
  const event = (type: string, more: object = {}) => ({ type, data: { email_id: emailId, to: [EMAIL], ...more } })
  await call('POST', '/public/email/events', event('email.bounced', { bounce: { message: `550 ${EMAIL}` } }))
  await call('POST', '/public/email/events', { type: 'email.bounced', data: { to: [EMAIL] } })
  await call('POST', '/v1/suppression', { channel: 'email', address: EMAIL, reason: 'manual' })
  await call('POST', '/v1/suppression', { channel: 'email', address: `${EMAIL} `.repeat(9), reason: 'manual' })
  for (const path of [
    '/v1/sends',
    '/v1/invitations',
    '/v1/survey-deliveries',
    '/v1/suppression',
    '/v1/notifications',
    '/v1/webhook-deliveries',
  ])
    await call('GET', path)

  expect(resend.emails.map(({ to }) => to)).toContainEqual([EMAIL])
  expect(twilio.messages.map(({ to }) => to)).toContain(PHONE)
  expect(lines.length).toBeGreaterThan(20)
  const tables = await server.peek<{ name: string }>(
    `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.relkind = 'r' and n.nspname = 'public'`,
  )
  expect(tables.length).toBeGreaterThan(30)
  const kept = []
  for (const { name } of tables) {
    for (const row of await server.peek(`select to_jsonb(t)::text as text from ${name} t`))
      kept.push(`${name}: ${(row as { text: string }).text}`)
  }
  for (const trace of TRACES) {
    expect(lines.filter((line) => trace.test(line))).toEqual([])
    expect(answers.filter((answer) => trace.test(answer))).toEqual([])
    expect(kept.filter((row) => trace.test(row))).toEqual([])
  }
})
