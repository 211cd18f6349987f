import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createApiKey, createMember, createWorkspace, runSweep, type TestWorkspace } from '../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../testing/harness.ts'
import { inviteToSurvey, makeLiveSurvey, NPS_SURVEY, submit } from '../../../testing/makers.ts'
import { recordEmail, type RecordingEmail } from '../../../testing/recording-email.ts'
import { thresholdSweep } from '../../answers/responses/responses.feature.ts'
import { dispatchSweeps } from '../../outreach/messages/messages.feature.ts'
import { sendMailSweep } from '../../access/mail/mail.feature.ts'
import { recoverNotificationsSweep } from './notifications.feature.ts'

let server: TestServer
let mail: RecordingEmail
let owner: TestWorkspace
let surveyId: string
beforeAll(async () => {
  server = await startTestServer()
  mail = recordEmail(server)
})
beforeEach(async () => {
  await server.peek('delete from notifications')
  mail.sent.length = 0
  owner = await createWorkspace(server)
  surveyId = await makeLiveSurvey(server, owner)
})
afterAll(() => server.close())

const subscribe = (body: object, token = owner.token) =>
  server.request('POST', '/v1/notification-subscriptions', { token, body })
const list = (query = '', token = owner.token) => server.request('GET', `/v1/notifications${query}`, { token })

async function sendSurvey(people = 1): Promise<void> {
  await inviteToSurvey(server, owner, surveyId, {
    recipients: Array.from({ length: people }, (_, n) => ({ email: `person${n}@example.com` })),
  })
  await runSweep(server, dispatchSweeps.email)
}

test('a member is told of what they subscribed to, once, and reading marks it', async () => {
  expect((await subscribe({ event: 'survey.sent', channel: 'console' })).status).toBe(201)
  await sendSurvey()
  const first = await list()
  expect(first.body).toMatchObject({
    unread: 0,
    data: [{ event: 'survey.sent', survey_id: surveyId, channel: 'console', status: 'pending', read_at: null }],
  })
  expect((await list()).body.data[0].read_at).toBe('2026-03-02T10:00:00.000Z')
  expect((await list('?unread=true')).body.data).toEqual([])
  expect(await runSweep(server, recoverNotificationsSweep)).toBe(1)
  expect(await runSweep(server, recoverNotificationsSweep)).toBe(0)
  expect((await list()).body.data[0]).toMatchObject({ status: 'sent' })
})

test('peeking marks nothing, and reading marks some, or all that there are', async () => {
  await subscribe({ event: 'survey.sent', channel: 'console' })
  await sendSurvey(3)
  const peeked = await list('?peek=true')
  expect(peeked.body).toMatchObject({ unread: 3, data: [{ read_at: null }, { read_at: null }, { read_at: null }] })
  const read = (body: object, token = owner.token) => server.request('POST', '/v1/notifications/read', { token, body })
  const [{ id }] = peeked.body.data
  const member = await createMember(server, owner.token, 'viewer')
  expect((await read({ ids: [id] }, member.token)).body).toEqual({ read: 0 })
  expect((await read({ all: true }, member.token)).body).toEqual({ read: 0 })
  expect((await read({ ids: [id, id, 'ntf_none', surveyId] })).body).toEqual({ read: 1 })
  expect((await read({ ids: [id] })).body).toEqual({ read: 0 })
  expect((await list('?peek=true')).body).toMatchObject({ unread: 2, data: [{ read_at: expect.any(String) }, {}, {}] })
  expect((await read({ all: true })).body).toEqual({ read: 2 })
  expect((await list('?peek=true')).body.unread).toBe(0)
  for (const body of [{}, { all: false }, { all: true, ids: [id] }, { ids: [] }])
    expect((await read(body)).status).toBe(400)
  const { key } = await createApiKey(server, owner.token, ['dispatch.send'])
  expect((await read({ all: true }, key)).body.code).toBe('member_needed')
})

test('events of any kind are told of, in the transaction of their cause', async () => {
  await subscribe({ event: 'response.completed', channel: 'console' })
  await submit(server, surveyId, { answers: { q1: 9 }, completed: false })
  expect((await list()).body.data).toEqual([])
  await submit(server, surveyId, { answers: { q1: 9, q3: 'Words of mine.' } })
  const told = await list()
  expect(told.body.data).toMatchObject([{ event: 'response.completed', survey_id: surveyId }])
  expect(told.text).not.toContain('Words')
})

test('many events make one mail, which names no recipient', async () => {
  await subscribe({ event: 'survey.sent', channel: 'email' })
  await sendSurvey(20)
  mail.sent.length = 0
  expect(await runSweep(server, recoverNotificationsSweep)).toBe(20)
  await runSweep(server, sendMailSweep)
  expect(mail.sent).toHaveLength(1)
  expect(mail.sent[0]).toMatchObject({ to: owner.email, subject: 'Earshot: 20 events' })
  expect(mail.sent[0]?.text).toContain('20 × survey.sent of the survey “After delivery”')
  expect(mail.sent[0]?.text).not.toMatch(/person\d/)
})

test('a subscription to some surveys is silent about the others', async () => {
  const other = await makeLiveSurvey(server, owner)
  await subscribe({ event: 'survey.sent', channel: 'console', survey_ids: [other] })
  await sendSurvey()
  expect((await list()).body.data).toEqual([])
})

test('each member has subscriptions and notifications of their own', async () => {
  const member = await createMember(server, owner.token, 'viewer')
  const { body } = await subscribe({ event: 'survey.sent', channel: 'console' }, member.token)
  await sendSurvey()
  expect((await list()).body.data).toEqual([])
  expect((await list('', member.token)).body.data).toHaveLength(1)
  const path = `/v1/notification-subscriptions/${body.id}`
  expect((await server.request('DELETE', path, { token: owner.token })).status).toBe(404)
  expect((await server.request('DELETE', path, { token: member.token })).status).toBe(204)
  expect((await server.request('GET', '/v1/notification-subscriptions', { token: member.token })).body.data).toEqual([])
})

test('what cannot be is refused', async () => {
  const stranger = await createWorkspace(server)
  const theirs = await makeLiveSurvey(server, stranger)
  expect((await subscribe({ event: 'survey.sent', channel: 'console', survey_ids: [theirs] })).status).toBe(422)
  expect((await subscribe({ event: 'survey.sunk', channel: 'console' })).status).toBe(400)
  expect((await subscribe({ event: 'survey.sent', channel: 'pigeon' })).status).toBe(400)
  const { key } = await createApiKey(server, owner.token, ['dispatch.send'])
  expect((await subscribe({ event: 'survey.sent', channel: 'console' }, key)).body.code).toBe('member_needed')
})

test('a notification names the thing that it is about, but no response of an anonymous survey', async () => {
  await subscribe({ event: 'response.completed', channel: 'console' })
  const { id } = await submit(server, surveyId, { answers: { q1: 9 } })
  expect((await list('?peek=true')).body.data).toMatchObject([{ subject: { type: 'response', id } }])
  await server.peek('delete from notifications')
  const hidden = await makeLiveSurvey(server, owner, { ...NPS_SURVEY, privacy: 'anonymous' })
  for (const q1 of [1, 2, 3, 4, 5]) await submit(server, hidden, { answers: { q1 } })
  server.clock.advance(86_400_000)
  const { email, password } = owner
  const { token } = (await server.request('POST', '/public/sessions', { body: { email, password } })).body
  await runSweep(server, thresholdSweep)
  const told = (await list('?peek=true', token)).body.data
  expect(told.length).toBeGreaterThan(0)
  expect(told.map(({ subject }: { subject: unknown }) => subject)).toEqual(told.map(() => null))
})
