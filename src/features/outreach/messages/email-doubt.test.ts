import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createApiKey, createWorkspace, runSweep, type TestWorkspace } from '../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../testing/harness.ts'
import { inviteToSurvey, makeLiveSurvey, submit } from '../../../testing/makers.ts'
import { recordEmail, whileProvider, type RecordingEmail } from '../../../testing/recording-email.ts'
import { runRequests } from '../../trust/data-protection/person.fixture.ts'
import { dispatchSweeps, recoverSendsSweep } from './messages.feature.ts'

const HOUR_MS = 3_600_000
const LEASE_MS = 180_000

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
  /** A dispatcher that dies after its claim. */
  const dieAfterClaim = () =>
    server.peek(
      `update sends set status = 'calling', calling_at = $1, lease_until = $2, lease_token = $3
       where status = 'queued'`,
      [server.clock.now(), new Date(server.clock.now().getTime() + LEASE_MS), randomUUID()],
    )
  const keys = () => mail.sent.map((message) => message.idempotencyKey)

  const post = (path: string, body = {}) => server.request('POST', path, { token: owner.token, body })
  const cancel = (id: string) => server.request('POST', `/v1/invitations/${id}/cancel`, { token: owner.token })
  const close = () => server.request('POST', `/v1/surveys/${surveyId}/close`, { token: owner.token })
  const suppress = () => post('/v1/suppression', { channel: 'email', address: 'grace@example.com' })
  const erase = async () => {
    await post('/v1/gdpr/requests', { kind: 'erasure', subject: { email: 'grace@example.com' } })
    await runRequests(server)
  }

  test.each([
    ['its invitation was cancelled', cancel, { status: 'cancelled', reason: null }],
    ['its person was suppressed', suppress, { status: 'skipped', reason: 'suppressed' }],
    ['its person was erased', erase, { status: 'cancelled', reason: null }],
    ['its survey was closed', close, { status: 'skipped', reason: 'survey_not_live' }],
  ] as const)('does not go out again after %s', async (_, change, ended) => {
    const { id } = await inviteToSurvey(server, owner, surveyId)
    await dieAfterClaim()
    await change(id)
    server.clock.advance(LEASE_MS)
    await runSweep(server, recoverSendsSweep)
    await dispatch()
    expect(mail.sent).toEqual([])
    expect(await sends()).toMatchObject([ended])
    expect(await list('/v1/survey-deliveries')).toEqual([])
  })

  test.each([
    ['is cancelled', cancel],
    ['is suppressed', suppress],
    ['is of a closed survey', close],
  ] as const)('that %s counts as sent once its provider reports it', async (_, change) => {
    const { id } = await inviteToSurvey(server, owner, surveyId)
    await loseAnswer()
    await change(id)
    server.clock.advance(60_000)
    await dispatch()
    expect(keys()).toHaveLength(1)
    await server.request('POST', '/public/email/events', {
      body: { type: 'email.delivered', data: { email_id: `late-${id}`, tags: { voc_delivery: mail.sent[0]?.tag } } },
    })
    expect(await sends()).toMatchObject([{ status: 'delivered', accepted_at: expect.any(String) }])
    expect(await list('/v1/survey-deliveries')).toHaveLength(1)
  })

  test('is settled under its key although quiet hours began', async () => {
    await inviteToSurvey(server, owner, surveyId)
    await loseAnswer()
    const [start, end] = [0, 2].map((hours) =>
      new Date(server.clock.now().getTime() + hours * HOUR_MS).toISOString().slice(11, 16),
    )
    await server.request('PATCH', '/v1/org', { token: owner.token, body: { quiet_hours: { start, end } } })
    server.clock.advance(60_000)
    await dispatch()
    expect(keys()).toHaveLength(2)
    expect(new Set(keys()).size).toBe(1)
    expect(await sends()).toMatchObject([{ status: 'accepted' }])
  })

  test('is settled under its key although its person has answered', async () => {
    await inviteToSurvey(server, owner, surveyId, { reminders: [{ after_hours: 1 }] })
    await dispatch()
    const token = /[?&]token=([\w-]+)/.exec(mail.sent[0]?.text ?? '')?.[1]
    server.clock.advance(HOUR_MS)
    await loseAnswer()
    await submit(server, surveyId, { answers: { q1: 9 }, token })
    server.clock.advance(60_000)
    await dispatch()
    expect(keys()).toHaveLength(3)
    expect(new Set(keys()).size).toBe(2)
    expect((await sends()).find(({ reminder }: { reminder: number }) => reminder === 1)).toMatchObject({
      status: 'accepted',
    })
  })
})
