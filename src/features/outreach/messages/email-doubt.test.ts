import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createApiKey, createWorkspace, runSweep, type TestWorkspace } from '../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../testing/harness.ts'
import { inviteToSurvey, makeLiveSurvey } from '../../../testing/makers.ts'
import { recordEmail, whileProvider, type RecordingEmail } from '../../../testing/recording-email.ts'
import { dispatchSweeps, recoverSendsSweep } from './messages.feature.ts'

let server: TestServer
let mail: RecordingEmail
let owner: TestWorkspace
let surveyId: string
/** Outlives sessions. */
let key: string
beforeAll(async () => {
  server = await startTestServer()
  mail = recordEmail(server)
})
beforeEach(async () => {
  await server.peek(`update sends set status = 'cancelled', next_attempt_at = null where next_attempt_at is not null`)
  mail.sent.length = 0
  owner = await createWorkspace(server)
  surveyId = await makeLiveSurvey(server, owner)
  key = (await createApiKey(server, owner.token, ['dispatch.send'])).key
})
afterAll(() => server.close())

const dispatch = () => runSweep(server, dispatchSweeps.email)
const list = async (path: string) => (await server.request('GET', path, { token: key })).body.data
const sends = () => list('/v1/sends?limit=100')

test('a dispatcher that died in the middle is found out by the recovery sweep, and the key is the same', async () => {
  await inviteToSurvey(server, owner, surveyId)
  const keys: string[] = []
  await whileProvider(
    server,
    async (message) => {
      keys.push(message.idempotencyKey)
      throw new Error('never recorded')
    },
    dispatch,
  )
  // A crash leaves the claim, and no record of its outcome.
  await server.peek(
    `update sends set status = 'calling', calling_at = $1, next_attempt_at = $1, lease_until = $2, attempts = 0, reason = null where status = 'queued'`,
    [server.clock.now(), new Date(server.clock.now().getTime() + 120_000)],
  )
  expect(await dispatch()).toBe(0)
  expect(await runSweep(server, recoverSendsSweep)).toBe(0)
  server.clock.advance(120_000)
  expect(await runSweep(server, recoverSendsSweep)).toBe(1)
  await dispatch()
  expect(mail.sent.map((message) => message.idempotencyKey)).toEqual(keys)
  expect(await sends()).toMatchObject([{ status: 'accepted' }])
  expect(await list('/v1/survey-deliveries')).toHaveLength(1)
})

describe('a message in doubt', () => {
  /** A provider that takes everything, and whose answers are lost. */
  const loseAnswer = () =>
    whileProvider(
      server,
      async (message) => {
        mail.sent.push(message)
        throw new Error('the answer was lost')
      },
      dispatch,
    )

  test.each([
    [
      'the invitation was cancelled',
      (id: string) => server.request('POST', `/v1/invitations/${id}/cancel`, { token: owner.token }),
    ],
    ['the survey was closed', () => server.request('POST', `/v1/surveys/${surveyId}/close`, { token: owner.token })],
    [
      'the person was suppressed',
      () =>
        server.request('POST', '/v1/suppression', {
          token: owner.token,
          body: { channel: 'email', address: 'grace@example.com', reason: 'manual' },
        }),
    ],
  ])('is settled under its key although %s', async (what, change) => {
    const { id } = await inviteToSurvey(server, owner, surveyId)
    await loseAnswer()
    await change(id)
    server.clock.advance(60_000)
    await dispatch()
    const cancelled = what.includes('cancelled')
    // Cancelling takes back what waits; of what a provider may have, its own word is the last.
    expect(mail.sent.map((message) => message.idempotencyKey)).toHaveLength(cancelled ? 1 : 2)
    expect(new Set(mail.sent.map((message) => message.idempotencyKey)).size).toBe(1)
    if (cancelled) {
      const [message] = mail.sent
      await server.request('POST', '/public/email/events', {
        body: { type: 'email.delivered', data: { email_id: 'late', tags: { voc_delivery: message?.tag } } },
      })
    }
    expect(await sends()).toMatchObject([
      { status: cancelled ? 'delivered' : 'accepted', accepted_at: expect.any(String) },
    ])
    expect(await list('/v1/survey-deliveries')).toHaveLength(1)
  })
})
