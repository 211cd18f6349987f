import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createWorkspace, runSweep, type TestWorkspace } from '../../../testing/fixtures.ts'
import { startFakeTwilio, type FakeTwilio } from '../../../testing/providers/fake-twilio.ts'
import type { TestServer } from '../../../testing/harness.ts'
import { inviteToSurvey, makeLiveSurvey, NPS_SURVEY } from '../../../testing/makers.ts'
import { dispatchSweeps } from '../messages/messages.feature.ts'
import {
  addNumber,
  AUTH_TOKEN,
  BASE,
  caller,
  responsesOf,
  startCallbackServer,
  texter,
} from './twilio-callbacks.fixture.ts'

let server: TestServer
let twilio: FakeTwilio
let workspace: TestWorkspace
let surveyId: string
let number: string
beforeAll(async () => {
  twilio = await startFakeTwilio({ authToken: AUTH_TOKEN })
  server = await startCallbackServer({
    env: { TWILIO_BASE_URL: twilio.url, SMS_RATE_PER_SECOND: '1000', VOICE_RATE_PER_SECOND: '1000' },
  })
})
afterAll(async () => {
  await server.close()
  await twilio.close()
})
beforeEach(async () => {
  workspace = await createWorkspace(server)
  surveyId = await makeLiveSurvey(server, workspace, { ...NPS_SURVEY, questions: NPS_SURVEY.questions.slice(0, 1) })
  number = (await addNumber(server, workspace)).number
})

const sends = async () => (await server.request('GET', '/v1/sends', { token: workspace.token })).body.data

test('an invitation by SMS goes out by the provider, and the answer completes it', async () => {
  const phone = '+15005561999'
  await inviteToSurvey(server, workspace, surveyId, {
    channel: 'sms',
    recipients: [{ phone, name: 'Ada', custom_data: { plan: 'pro' } }],
  })
  await runSweep(server, dispatchSweeps.sms)
  expect(twilio.messages).toMatchObject([
    {
      to: phone,
      from: number,
      body: expect.stringMatching(/^Hello Ada, Acme .*\n\nHow likely .*\n\nReply STOP to opt out\.$/s),
    },
  ])
  expect(await texter(server, number, phone).text('9')).toBe('Thank you! Your answers have been received.')
  expect(await sends()).toMatchObject([
    { channel: 'sms', status: 'completed', response_id: expect.stringMatching(/^rsp_/) },
  ])
  expect(await responsesOf(server, workspace)).toMatchObject([
    { state: 'completed', channel: 'sms', custom_data: { plan: 'pro' }, answers: [{ value: 9 }] },
  ])
})

test('of two surveys that are due to one person, the second waits until the first is answered', async () => {
  const phone = '+15005561996'
  const other = await makeLiveSurvey(server, workspace, { ...NPS_SURVEY, questions: NPS_SURVEY.questions.slice(0, 1) })
  const messages = () => twilio.messages.filter(({ to }) => to === phone)
  for (const id of [surveyId, other])
    await inviteToSurvey(server, workspace, id, { channel: 'sms', recipients: [{ phone }] })
  await runSweep(server, dispatchSweeps.sms)
  expect(messages()).toHaveLength(1)
  expect(await sends()).toMatchObject([
    { survey_id: other, status: 'queued' },
    { survey_id: surveyId, status: 'accepted' },
  ])
  await texter(server, number, phone).text('9')
  server.clock.advance(600_000)
  await runSweep(server, dispatchSweeps.sms)
  expect(messages()).toHaveLength(2)
  await texter(server, number, phone).text('3')
  expect(await responsesOf(server, workspace)).toMatchObject([
    { survey_id: other, answers: [{ value: 3 }] },
    { survey_id: surveyId, answers: [{ value: 9 }] },
  ])
})

test('an invitation by phone asks this server what to say, and its answer completes it', async () => {
  const phone = '+15005561998'
  await inviteToSurvey(server, workspace, surveyId, { channel: 'voice', recipients: [{ phone }] })
  await runSweep(server, dispatchSweeps.voice)
  const [call] = twilio.calls
  expect(call?.url).toMatch(new RegExp(`^${BASE}/public/twilio/voice/${surveyId}\\?send=`))
  const person = caller(server, call?.url?.slice(BASE.length) ?? '', { number, phone, outbound: true })
  expect((await person.begin()).said).toMatch(/^Hello, this is Acme\. .* How likely/)
  expect((await person.press('9')).action).toBeNull()
  expect(await sends()).toMatchObject([{ channel: 'voice', status: 'completed' }])
  expect(await responsesOf(server, workspace)).toMatchObject([{ state: 'completed', channel: 'voice' }])
})

test('a recipient who told the carrier to stop has no conversation', async () => {
  const phone = '+15005561997'
  twilio.optedOut.add(phone)
  await inviteToSurvey(server, workspace, surveyId, { channel: 'sms', recipients: [{ phone }] })
  await runSweep(server, dispatchSweeps.sms)
  expect(await sends()).toMatchObject([{ status: 'failed' }])
  expect(await server.peek('select 1 from conversations where number = $1', [number])).toEqual([])
})
