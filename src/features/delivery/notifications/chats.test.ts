import { thresholdSweep } from '../../answers/responses/responses.feature.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createMember, createWorkspace, runSweep, type TestWorkspace } from '../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../testing/harness.ts'
import { makeLiveSurvey, NPS_SURVEY, submit } from '../../../testing/makers.ts'
import { startReceiver, type Receiver } from '../../../testing/receiver.ts'
import { recordEmail, type RecordingEmail } from '../../../testing/recording-email.ts'
import { sendMailSweep } from '../../access/mail/mail.feature.ts'
import { runRequests } from '../../trust/data-protection/person.fixture.ts'
import { recoverNotificationsSweep, sendDigestsSweep } from './notifications.feature.ts'

let server: TestServer
let mail: RecordingEmail
let chat: Receiver
let owner: TestWorkspace
let surveyId: string
let status: number
let said: string
let headers: Record<string, string>
beforeAll(async () => {
  server = await startTestServer()
  mail = recordEmail(server)
  chat = await startReceiver()
  chat.answer((_request, response) => void response.writeHead(status, headers).end(said))
})
beforeEach(async () => {
  ;[status, said, headers] = [200, 'ok', {}]
  chat.requests.length = 0
  mail.sent.length = 0
  await server.peek('delete from outgoing_emails')
  await server.peek('delete from notifications')
  await server.peek('delete from notification_subscriptions')
  owner = await createWorkspace(server)
  surveyId = await makeLiveSurvey(server, owner)
})
afterAll(async () => {
  await chat.close()
  await server.close()
})

const subscribe = (body: object = {}, token = owner.token) =>
  server.request('POST', '/v1/notification-subscriptions', {
    token,
    body: { event: 'response.completed', channel: 'slack', url: chat.url, ...body },
  })
const subscriptions = async () =>
  (await server.request('GET', '/v1/notification-subscriptions', { token: owner.token })).body.data
const notifications = async () => (await server.request('GET', '/v1/notifications', { token: owner.token })).body.data
// After days the session has ended.
const stored = (table: string) => server.peek<Record<string, unknown>>(`select * from ${table}`)
const answer = (q1: number, q3 = 'Late & <b>cold</b> <!channel>') => submit(server, surveyId, { answers: { q1, q3 } })
const send = () => runSweep(server, recoverNotificationsSweep)
const digest = () => runSweep(server, sendDigestsSweep)
const bodyOf = (index = 0) => JSON.parse(chat.requests[index]?.body ?? 'null')

test('a URL of a channel is stored sealed and shown as its host, and a private one is refused', async () => {
  const { status: created, body, text } = await subscribe({ channel: 'teams' })
  expect(created).toBe(201)
  expect(body).toMatchObject({ channel: 'teams', digest: 'at_once', enabled: true, disabled_reason: null })
  expect(body.url).toBe(`${new URL(chat.url).host}…`)
  expect(text).not.toContain('/hooks')
  const [row] = await server.peek<{ target: string }>('select target from notification_subscriptions')
  expect(row?.target).not.toContain('/hooks')
  expect((await subscribe({ url: 'http://10.0.0.1/x' })).body).toMatchObject({ status: 422, code: 'blocked_url' })
  expect((await subscribe({ url: undefined })).body).toMatchObject({ status: 400, issues: [{ path: 'url' }] })
  expect((await subscribe({ channel: 'email' })).status).toBe(400)
})

test('Slack gets score, comment and link of a response, and nothing in it is markup', async () => {
  await subscribe()
  await answer(3)
  expect(await send()).toBe(1)
  expect(await send()).toBe(0)
  const { text, blocks } = bodyOf()
  expect(text).toBe('A response came in\nAfter delivery')
  expect(blocks[0]).toMatchObject({ type: 'header', text: { type: 'plain_text' } })
  expect(blocks[2].text).toMatchObject({ type: 'plain_text', text: 'NPS: 3\n“Late & <b>cold</b> <!channel>”' })
  expect(blocks[3].elements[0].text).toMatch(/^<http:\/\/localhost:8080\/app\/responses\/rsp_\w+\|Open>$/)
  expect(await notifications()).toMatchObject([{ channel: 'slack', status: 'sent' }])
})

test('Teams gets an adaptive card in the language of the subscription, without Markdown', async () => {
  status = 202
  said = ''
  await subscribe({ channel: 'teams', language: 'de' })
  await answer(10, '[click](https://evil.example)')
  await send()
  const { content, contentType } = bodyOf().attachments[0]
  expect(contentType).toBe('application/vnd.microsoft.card.adaptive')
  expect(content.body.map(({ type }: { type: string }) => type)).toEqual(Array(4).fill('RichTextBlock'))
  expect(content.body[0].inlines[0].text).toBe('Eine Antwort ist eingegangen')
  expect(content.body[3].inlines[0].text).toBe('“[click](https://evil.example)”')
  expect(content.actions).toMatchObject([{ type: 'Action.OpenUrl', title: 'Öffnen' }])
  expect((await notifications())[0].status).toBe('sent')
})

test('only responses that pass the filter are told, and several make one message', async () => {
  await subscribe({ filter: { all: [{ field: 'score', op: 'lte', value: 6 }] } })
  for (const score of [2, 9, 5]) await answer(score, `Said with ${score}.`)
  expect(await send()).toBe(2)
  expect(chat.requests).toHaveLength(1)
  expect(bodyOf().text).toBe('2 events\n2 × response.completed of the survey “After delivery”')
  expect(chat.requests[0]?.body).not.toContain('Said with 9')
  const refused = [
    { event: 'survey.sent', filter: { all: [] } },
    { filter: { all: [{ field: 'sentiment', op: 'eq', value: 'negative' }] } },
    { filter: { all: [{ field: 'text', op: 'search', value: 'said' }] } },
  ]
  for (const body of refused) expect((await subscribe(body)).body.code).toBe('filter_not_for_notifications')
})

test.each([
  { answered: [500, 'oops'], state: 'pending' },
  { answered: [302, ''], state: 'pending' },
  { answered: [200, '<html>sign in</html>'], state: 'pending' },
  { answered: [400, 'invalid_payload'], state: 'failed' },
])('an answer $answered leaves the message $state', async ({ answered, state }) => {
  ;[status, said] = answered as [number, string]
  headers = { location: chat.url }
  await subscribe()
  await answer(3)
  await send()
  expect(chat.requests).toHaveLength(1)
  expect(await notifications()).toMatchObject([{ status: state, sent_at: null }])
  expect(await subscriptions()).toMatchObject([{ enabled: true }])
  ;[status, said] = [200, 'ok']
  server.clock.advance(60_000)
  await send()
  expect(chat.requests).toHaveLength(state === 'pending' ? 2 : 1)
})

test('a busy channel gets one message a second, with everything that came since', async () => {
  await subscribe()
  await answer(3)
  await send()
  for (const score of [4, 5]) await answer(score)
  await send()
  expect(chat.requests).toHaveLength(1)
  server.clock.advance(1_000)
  await send()
  expect(chat.requests).toHaveLength(2)
  expect(bodyOf(1).text).toContain('2 events')
})

test('a 429 with Retry-After holds back every message of the channel until then', async () => {
  ;[status, headers] = [429, { 'retry-after': '600' }]
  await subscribe()
  await answer(3)
  await send()
  ;[status, headers] = [200, {}]
  server.clock.advance(300_000)
  await answer(4)
  await send()
  expect(chat.requests).toHaveLength(1)
  server.clock.advance(301_000)
  await send()
  expect(chat.requests).toHaveLength(2)
  expect(bodyOf(1).text).toContain('2 events')
})

test.each(['slack', 'teams'])('a %s channel that is gone is disabled, and its member gets a mail', async (channel) => {
  ;[status, said] = [404, channel === 'slack' ? 'no_service' : '']
  await subscribe({ channel })
  await answer(3)
  await send()
  expect(await subscriptions()).toMatchObject([{ enabled: false, disabled_reason: 'gone' }])
  expect(await notifications()).toMatchObject([{ status: 'failed' }])
  await runSweep(server, sendMailSweep)
  expect(mail.sent).toMatchObject([{ to: owner.email, subject: 'Earshot: a notification channel was disabled' }])
  expect(mail.sent[0]?.text).not.toContain('/hooks')
  await answer(3)
  expect(await notifications()).toHaveLength(1)
  const { body } = await server.request('GET', '/v1/audit?limit=100', { token: owner.token })
  expect(body.data.map(({ action }: { action: string }) => action)).toContain('notification_subscription.disable')
})

test('a channel that only fails for 5 days is disabled, until its member enables it again', async () => {
  status = 503
  const { id } = (await subscribe()).body
  await answer(3)
  await send()
  server.clock.advance(5 * 86_400_000)
  await answer(3)
  await send()
  expect(await stored('notification_subscriptions')).toMatchObject([{ enabled: false, disabled_reason: 'failing' }])
  const { email, password } = owner
  const { token } = (await server.request('POST', '/public/sessions', { body: { email, password } })).body
  const path = `/v1/notification-subscriptions/${id}`
  const enabled = await server.request('PATCH', path, { token, body: { enabled: true } })
  expect(enabled).toMatchObject({ status: 200, body: { enabled: true, disabled_reason: null } })
  status = 200
  await answer(3)
  await send()
  expect(chat.requests).toHaveLength(3)
  const off = await server.request('PATCH', path, { token, body: { enabled: false } })
  expect(off.body).toMatchObject({ enabled: false, disabled_reason: 'manual' })
  const stranger = await createWorkspace(server)
  expect((await server.request('PATCH', path, { token: stranger.token, body: { enabled: true } })).status).toBe(404)
})

test('a digest comes once a day in the zone of the workspace, by chat and by mail', async () => {
  await server.request('PATCH', '/v1/org', { token: owner.token, body: { timezone: 'Asia/Tokyo' } })
  await subscribe({ digest: 'daily' })
  await subscribe({ digest: 'weekly', channel: 'email', url: undefined })
  for (const score of [2, 9]) await answer(score)
  expect(await send()).toBe(0)
  expect(await digest()).toBe(0)
  // 8:00 in Tokyo is 23:00 in UTC.
  server.clock.advance(13 * 3_600_000)
  expect(await digest()).toBe(1)
  expect(await digest()).toBe(0)
  expect(bodyOf().text).toBe('Daily summary. Events: 2\n2 × response.completed of the survey “After delivery”')
  expect(chat.requests[0]?.body).toContain('NPS: 9')
  server.clock.advance(24 * 3_600_000)
  await digest()
  expect(chat.requests).toHaveLength(1)
  server.clock.advance(6 * 86_400_000)
  await digest()
  await runSweep(server, sendMailSweep)
  expect(mail.sent.map(({ subject }) => subject)).toEqual(['Earshot: Weekly summary. Events: 2'])
})

test('a chat that does not answer holds up the digests of its own workspace alone', async () => {
  const hanging: Array<() => void> = []
  let givenUp = 0
  chat.answer(({ path }, response) => {
    const end = () => void response.writeHead(200).end('ok')
    if (!path.includes('slow')) return end()
    hanging.push(end)
    response.on('close', () => (givenUp += 1))
  })
  // In whatever order workspaces come, the first one hangs.
  const [other, last] = [await createWorkspace(server), await createWorkspace(server)]
  const surveys = [await makeLiveSurvey(server, other), await makeLiveSurvey(server, last)]
  await subscribe({ digest: 'daily', url: `${chat.url}?slow` })
  await subscribe({ digest: 'daily' }, other.token)
  await subscribe({ digest: 'daily', url: `${chat.url}?slow` }, last.token)
  await answer(3)
  for (const id of surveys) await submit(server, id, { answers: { q1: 9 } })
  server.clock.advance(25 * 3_600_000)
  const sent = digest()
  await expect.poll(() => chat.requests.filter(({ path }) => !path.includes('slow')).length).toBe(1)
  expect(givenUp).toBe(0)
  await expect.poll(() => hanging.length).toBe(2)
  for (const end of hanging) end()
  expect(await sent).toBe(3)
  chat.answer((_request, response) => void response.writeHead(status, headers).end(said))
})

test('a digest that a chat refuses for now is tried again, with what came since', async () => {
  await subscribe({ digest: 'daily' })
  await answer(2)
  server.clock.advance(86_400_000)
  status = 500
  await digest()
  await answer(3)
  status = 200
  server.clock.advance(60_000)
  await digest()
  expect(bodyOf(1).text).toContain('Daily summary. Events: 2')
  expect(await stored('notifications')).toMatchObject([{ status: 'sent' }, { status: 'sent' }])
})

/** Five answers to an anonymous survey, whose events leave on the next day. */
async function answerByFive(): Promise<void> {
  for (let n = 0; n < 5; n++) await answer(3)
  await runSweep(server, thresholdSweep)
  expect(await send()).toBe(0)
  server.clock.advance(86_400_000)
  await runSweep(server, thresholdSweep)
}

test('an anonymous survey shows no words, no score and no moment, and only on the next day', async () => {
  surveyId = await makeLiveSurvey(server, owner, { ...NPS_SURVEY, privacy: 'anonymous' })
  await subscribe()
  await subscribe({ filter: { all: [{ field: 'score', op: 'lte', value: 6 }] } })
  await answerByFive()
  const staged = (await stored('notifications')).map((row) => (row['created_at'] as Date).getTime() % 86_400_000)
  expect(staged).toEqual(Array(5).fill(0))
  await send()
  expect(chat.requests).toHaveLength(1)
  expect(chat.requests[0]?.body).not.toMatch(/NPS|Late|rsp_|\d\d:\d\d/)
})

test('the list and a digest tell of an anonymous survey by its day alone', async () => {
  surveyId = await makeLiveSurvey(server, owner, { ...NPS_SURVEY, privacy: 'anonymous' })
  await subscribe({ channel: 'console', url: undefined })
  await subscribe({ digest: 'daily' })
  await answerByFive()
  await send()
  expect(await stored('notifications')).toHaveLength(10)
  for (const row of await stored('notifications'))
    for (const at of [row['created_at'], row['sent_at']])
      if (at) expect((at as Date).toISOString()).toContain('T00:00:00.000Z')
  server.clock.advance(86_400_000)
  await digest()
  expect(bodyOf().text).toContain('Events: 5')
  expect(bodyOf().text).not.toMatch(/\d\d:\d\d/)
})

test('a new event does not share the attempts of an older one', async () => {
  await subscribe()
  status = 500
  await answer(3)
  for (let tries = 0; tries < 4; tries++) {
    await send()
    server.clock.advance(3 * 3_600_000)
  }
  await answer(4)
  await send()
  const rows = await stored('notifications')
  expect(rows.map(({ attempts, given_up }) => [attempts, given_up]).toSorted()).toEqual([
    [1, false],
    [5, true],
  ])
})

test('somebody who left is told nothing more, and their subscriptions go', async () => {
  const member = await createMember(server, owner.token, 'viewer')
  await subscribe({}, member.token)
  await subscribe({ digest: 'daily' }, member.token)
  await answer(3)
  expect((await server.request('DELETE', `/v1/members/${member.userId}`, { token: owner.token })).status).toBe(204)
  await send()
  server.clock.advance(86_400_000)
  await digest()
  expect(chat.requests).toHaveLength(0)
  expect(await stored('notification_subscriptions')).toEqual([])
  expect(await stored('notifications')).toEqual([])
})

test('an erasure takes the words out of a message that waits, and its certificate names the chats that have one', async () => {
  await subscribe()
  await answer(3, 'Write to ada@example.com')
  await send()
  await answer(4, 'Or to ada@example.com')
  const { body } = await server.request('POST', '/v1/gdpr/requests', {
    token: owner.token,
    body: { kind: 'erasure', subject: { email: 'ada@example.com' } },
  })
  await runRequests(server)
  server.clock.advance(1_000)
  await send()
  expect(chat.requests.map((request) => /ada@|NPS/.test(request.body))).toEqual([true, false])
  const path = `/v1/gdpr/requests/${body.id}/certificate`
  const certificate = await server.request('GET', path, { token: owner.token })
  expect(certificate.body.external).toMatchObject([{ kind: 'slack', target: new URL(chat.url).host }])
})

test('an erasure finds a mail that waits with the words of an alert and not its response', async () => {
  await server.request('POST', '/v1/alert-rules', {
    token: owner.token,
    body: { name: 'Low', trigger: { on: 'response', filter: { all: [{ field: 'score', op: 'lte', value: 6 }] } } },
  })
  await subscribe({ event: 'alert.opened', channel: 'email', url: undefined })
  const { id } = await answer(3, 'The lighthouse keeper was rude')
  await send()
  expect(await stored('outgoing_emails')).toMatchObject([{ kind: 'notification', status: 'pending' }])
  await server.request('POST', '/v1/gdpr/requests', {
    token: owner.token,
    body: { kind: 'erasure', subject: { response_ids: [id] } },
  })
  await runRequests(server)
  await runSweep(server, sendMailSweep)
  expect(mail.sent).toEqual([])
})
