import { parseId } from '../../../platform/ids.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { EmailMessage } from '../../../platform/ports/email-port.ts'
import { ProviderError } from '../../../platform/ports/provider.ts'
import { createApiKey, createWorkspace, runSweep, type TestWorkspace } from '../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../testing/harness.ts'
import { inviteToSurvey, makeLiveSurvey, NPS_SURVEY, submit } from '../../../testing/makers.ts'
import { recordEmail, type RecordingEmail } from '../../../testing/recording-email.ts'
import { dispatchSweeps } from './messages.feature.ts'

const HOUR_MS = 3_600_000

let server: TestServer
let mail: RecordingEmail
let owner: TestWorkspace
let surveyId: string
/** Outlives sessions, for tests that let days pass. */
let key: string
beforeAll(async () => {
  server = await startTestServer({ env: { PUBLIC_BASE_URL: 'https://feedback.example.com' } })
  mail = recordEmail(server)
})
beforeEach(async () => {
  await server.peek(`update sends set status = 'cancelled', next_attempt_at = null where next_attempt_at is not null`)
  mail.sent.length = 0
  mail.failWith = null
  owner = await createWorkspace(server)
  surveyId = await makeLiveSurvey(server, owner)
  key = (await createApiKey(server, owner.token, ['dispatch.send'])).key
})
afterAll(() => server.close())

const dispatch = () => runSweep(server, dispatchSweeps.email)
const list = async (path: string, token = key) => (await server.request('GET', path, { token })).body.data
const sends = () => list('/v1/sends?limit=100')
const tokenOf = (message: EmailMessage | undefined) => /[?&]token=([\w-]+)/.exec(message?.text ?? '')?.[1]

test('a known person is greeted by name, though the invitation gives only the address', async () => {
  await server.request('POST', '/v1/people', {
    token: owner.token,
    body: { email: 'grace@example.com', name: 'Grace Hopper' },
  })
  await inviteToSurvey(server, owner, surveyId, {
    recipients: [{ email: 'grace@example.com' }, { email: 'ada@example.com' }],
  })
  expect(await dispatch()).toBe(2)
  const greetings = mail.sent.map(({ to, text }) => [to, /^Hello.*$/m.exec(text ?? '')?.[0]])
  expect(Object.fromEntries(greetings)).toEqual({
    'grace@example.com': 'Hello Grace Hopper,',
    'ada@example.com': 'Hello,',
  })
})

test('an invitation arrives, says how to unsubscribe, and leaves a record without its recipient', async () => {
  await server.request('POST', '/v1/webhooks', {
    token: owner.token,
    body: { url: 'https://8.8.8.8/hook', events: ['survey.sent'] },
  })
  await server.request('POST', '/v1/notification-subscriptions', {
    token: owner.token,
    body: { event: 'survey.sent', channel: 'console' },
  })
  await inviteToSurvey(server, owner, surveyId, { recipients: [{ email: 'grace@example.com', name: 'Grace' }] })
  expect(await dispatch()).toBe(1)

  const [message] = mail.sent
  expect(message).toMatchObject({
    to: 'grace@example.com',
    fromName: 'Acme',
    headers: { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
  })
  expect(message?.headers?.['List-Unsubscribe']).toMatch(
    /^<https:\/\/feedback\.example\.com\/public\/unsubscribe\/[\w-]{64}>$/,
  )
  expect(message?.tag).toMatch(/^[\w-]{64}$/)
  expect(message?.text).toContain('https://feedback.example.com/public/')

  const [send] = await sends()
  expect(send).toMatchObject({
    status: 'accepted',
    recipient: 'g***@example.com',
    accepted_at: '2026-03-02T10:00:00.000Z',
    send_at: null,
  })
  const [record] = await list('/v1/survey-deliveries')
  expect(record).toEqual({
    id: expect.stringMatching(/^sdl_/),
    survey_id: surveyId,
    channel: 'email',
    accepted_at: '2026-03-02T10:00:00.000Z',
  })
  const [event] = await server.peek<{ type: string; data: string }>(
    `select type, data from events where type = 'survey.sent' and tenant_id = $1`,
    [parseId('workspace', owner.workspaceId)],
  )
  expect(JSON.parse(event?.data ?? '')).toEqual({ surveyId, channel: 'email', acceptedAt: '2026-03-02T10:00:00.000Z' })
  expect(await list('/v1/webhook-deliveries?event=survey.sent', owner.token)).toHaveLength(1)
  expect(await list('/v1/notifications', owner.token)).toMatchObject([
    { event: 'survey.sent', survey_id: surveyId, read_at: null },
  ])
  expect(await dispatch()).toBe(0)
})

test('a mail has the colour of the page that it leads to: that of the survey, else that of the workspace', async () => {
  await server.request('PATCH', '/v1/org', { token: owner.token, body: { branding: { color: '#0f766e' } } })
  const words = { name: 'Words', questions: [{ id: 'q1', type: 'open_text', title: 'How was it?' }] }
  for (const [theme, color] of [
    [undefined, '#0f766e'],
    [{ color: '#7c2d12' }, '#7c2d12'],
  ] as const) {
    const id = await makeLiveSurvey(server, owner, { ...words, ...(theme && { theme }) })
    await inviteToSurvey(server, owner, id, { recipients: [{ email: `${color.slice(1)}@example.com` }] })
    await dispatch()
    expect(mail.sent.at(-1)?.html).toContain(`background:${color}"><a `)
  }
})

test('who follows the link answers as who was invited', async () => {
  await inviteToSurvey(server, owner, surveyId, {
    recipients: [{ email: 'grace@example.com', custom_data: { plan: 'pro' } }],
  })
  await dispatch()
  const token = tokenOf(mail.sent[0])
  const page = await server.request('GET', `/public/s/${surveyId}?token=${token}&q1=9`)
  expect(page.text).toContain('checked')
  expect((await sends())[0].status).toBe('accepted')

  const begun = await submit(server, surveyId, { answers: { q1: 9 }, token, completed: false })
  expect((await sends())[0]).toMatchObject({ status: 'started', response_id: begun.id })
  await server.request('PATCH', `/public/responses/${begun.token}`, {
    body: { answers: { q3: 'Fine.' }, completed: true },
  })
  const [send] = await sends()
  expect(send).toMatchObject({ status: 'completed', response_id: begun.id })
  const response = await server.request('GET', `/v1/responses/${begun.id}`, { token: owner.token })
  expect(response.body).toMatchObject({ channel: 'email', custom_data: { plan: 'pro' }, state: 'completed' })
})

test('an invitation and its reminder answer a single-use survey once', async () => {
  const once = await makeLiveSurvey(server, owner, { ...NPS_SURVEY, dedupe: 'single_use' })
  await inviteToSurvey(server, owner, once, { reminders: [{ after_hours: 1 }] })
  await dispatch()
  server.clock.advance(HOUR_MS)
  await dispatch()
  const [first, second] = mail.sent.map(tokenOf)
  expect(first).not.toBe(second)
  await submit(server, once, { answers: { q1: 9 }, token: first })
  const again = await server.request('POST', `/public/surveys/${once}/responses`, {
    body: { answers: { q1: 2 }, token: second },
  })
  expect([again.status, again.body.code]).toEqual([409, 'already_answered'])
})

describe('reminders', () => {
  test('go to people who have not answered, after the message before', async () => {
    await inviteToSurvey(server, owner, surveyId, {
      recipients: [{ email: 'a@example.com' }, { email: 'b@example.com' }],
      reminders: [{ after_hours: 24 }, { after_hours: 48 }],
    })
    await dispatch()
    const answered = mail.sent.find(({ to }) => to === 'a@example.com')
    server.clock.advance(24 * HOUR_MS - 1)
    await dispatch()
    expect(mail.sent).toHaveLength(2)
    await submit(server, surveyId, { answers: { q1: 9 }, token: tokenOf(answered) })
    server.clock.advance(1)
    await dispatch()
    expect(mail.sent.slice(2).map(({ to }) => to)).toEqual(['b@example.com'])
    const rows = await sends()
    expect(rows.filter((row: { reason: string }) => row.reason === 'answered')).toMatchObject([
      { status: 'skipped', reminder: 1 },
    ])
    server.clock.advance(48 * HOUR_MS)
    await dispatch()
    server.clock.advance(1000 * HOUR_MS)
    await dispatch()
    expect(mail.sent.map(({ to }) => to)).toEqual([
      ...mail.sent.slice(0, 2).map(({ to }) => to),
      'b@example.com',
      'b@example.com',
    ])
  })

  test('of a cancelled invitation do not go out', async () => {
    const { id } = await inviteToSurvey(server, owner, surveyId, { reminders: [{ after_hours: 1 }] })
    await dispatch()
    await server.request('POST', `/v1/invitations/${id}/cancel`, { token: owner.token })
    server.clock.advance(2 * HOUR_MS)
    await dispatch()
    expect(mail.sent).toHaveLength(1)
  })
})

describe('what is true when a message is due decides', () => {
  test('a paused survey sends nothing', async () => {
    await inviteToSurvey(server, owner, surveyId)
    await server.request('POST', `/v1/surveys/${surveyId}/pause`, { token: owner.token })
    await dispatch()
    expect(mail.sent).toEqual([])
    expect(await sends()).toMatchObject([{ status: 'skipped', reason: 'survey_not_live' }])
  })

  test('a person who was suppressed before the message gets none', async () => {
    await inviteToSurvey(server, owner, surveyId, {
      send_at: new Date(server.clock.now().getTime() + HOUR_MS).toISOString(),
    })
    expect(await dispatch()).toBe(0)
    await server.request('POST', '/v1/suppression', {
      token: owner.token,
      body: { channel: 'email', address: 'grace@example.com', reason: 'manual' },
    })
    server.clock.advance(HOUR_MS)
    await dispatch()
    expect(mail.sent).toEqual([])
    expect(await sends()).toMatchObject([{ status: 'skipped', reason: 'suppressed' }])
  })

  test('quiet hours that began meanwhile put it off', async () => {
    await inviteToSurvey(server, owner, surveyId)
    const from = server.clock.now().toISOString().slice(11, 16)
    const end = new Date(server.clock.now().getTime() + 2 * HOUR_MS).toISOString().slice(11, 16)
    await server.request('PATCH', '/v1/org', { token: owner.token, body: { quiet_hours: { start: from, end } } })
    await dispatch()
    expect(mail.sent).toEqual([])
    server.clock.advance(2 * HOUR_MS)
    await dispatch()
    expect(mail.sent).toHaveLength(1)
  })
})

describe('a provider that refuses', () => {
  test('is asked again after growing pauses, five times, under one key', async () => {
    await inviteToSurvey(server, owner, surveyId)
    mail.failWith = new ProviderError('resend_500', 'unknown')
    const pauses: number[] = []
    for (let attempt = 1; attempt <= 5; attempt++) {
      expect(await dispatch()).toBe(1)
      const [send] = await sends()
      if (attempt === 5) expect(send).toMatchObject({ status: 'failed', reason: 'resend_500' })
      else pauses.push((new Date(send.send_at).getTime() - server.clock.now().getTime()) / 1000)
      server.clock.advance(7200_000)
    }
    expect(pauses).toEqual([60, 300, 1800, 7200])
    expect(await dispatch()).toBe(0)
    expect(await list('/v1/survey-deliveries')).toEqual([])
  })

  test('for good is asked once', async () => {
    await inviteToSurvey(server, owner, surveyId)
    mail.failWith = new ProviderError('resend_validation_error', 'refused')
    await dispatch()
    expect(await sends()).toMatchObject([{ status: 'failed', reason: 'resend_validation_error' }])
  })

  test('for now is waited for as long as it says, and that does not count', async () => {
    await inviteToSurvey(server, owner, surveyId)
    mail.failWith = new ProviderError('resend_rate_limit_exceeded', 'throttled', 7)
    for (let turn = 0; turn < 8; turn++) {
      expect(await dispatch()).toBe(1)
      server.clock.advance(7_000)
    }
    mail.failWith = null
    await dispatch()
    expect(await sends()).toMatchObject([{ status: 'accepted' }])
  })

  test('says nothing about whom it refused', async () => {
    await inviteToSurvey(server, owner, surveyId)
    mail.failWith = new Error('550 no such user grace@example.com')
    await dispatch()
    const [row] = await server.peek<{ reason: string }>('select reason from sends order by id desc limit 1')
    expect(row?.reason).toBe('unreachable')
  })
})

test('a message that cannot be written keeps no other waiting, and is tried again later', async () => {
  await inviteToSurvey(server, owner, surveyId, {
    recipients: [{ email: 'a@example.com' }, { email: 'b@example.com' }, { email: 'c@example.com' }],
  })
  // Sealed for another row: nobody can open it.
  await server.peek(
    `update sends set recipient = (select recipient from sends where masked like 'a%' order by id desc limit 1) where masked like 'b%' and status = 'queued'`,
  )
  const stranger = await createWorkspace(server)
  await inviteToSurvey(server, stranger, await makeLiveSurvey(server, stranger), {
    recipients: [{ email: 'd@example.com' }],
  })
  await dispatch()
  expect(mail.sent.map(({ to }) => to).toSorted()).toEqual(['a@example.com', 'c@example.com', 'd@example.com'])
  const row = (await sends()).find(({ recipient }: { recipient: string }) => recipient.startsWith('b'))
  expect(row).toMatchObject({ status: 'queued', reason: 'internal_error' })
})

test('a field that was taken out of the survey meanwhile costs nobody their answer', async () => {
  await inviteToSurvey(server, owner, surveyId, {
    recipients: [{ email: 'grace@example.com', custom_data: { plan: 'pro' } }],
  })
  await dispatch()
  await server.request('PATCH', `/v1/surveys/${surveyId}`, { token: owner.token, body: { custom_fields: [] } })
  expect((await server.request('POST', `/v1/surveys/${surveyId}/publish`, { token: owner.token })).status).toBe(200)
  await submit(server, surveyId, { answers: { q1: 9 }, token: tokenOf(mail.sent[0]) })
  expect(await sends()).toMatchObject([{ status: 'completed' }])
})
