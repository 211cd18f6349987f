import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { parseId } from '../../../platform/ids.ts'
import {
  createApiKey,
  createWorkspace,
  runSweep,
  signUp,
  textOf,
  tokenIn,
  type TestWorkspace,
} from '../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../testing/harness.ts'
import { recordEmail, type RecordingEmail } from '../../../testing/recording-email.ts'
import { makeId } from '../../../testing/makers.ts'
import { publishSurvey } from '../../../testing/survey-fixtures.ts'
import { dispatchSweeps } from '../../outreach/messages/messages.feature.ts'
import { sendMailSweep } from '../mail/mail.feature.ts'

const DAY_MS = 86_400_000
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const PASSWORD = 'the password of its owner'

let server: TestServer
let mail: RecordingEmail
beforeAll(async () => {
  server = await startTestServer()
})
beforeEach(() => {
  mail = recordEmail(server)
})
afterAll(() => server.close())

const me = async (token: string) => (await server.request('GET', '/v1/me', { token })).body
const statusOf = async (token: string) => (await server.request('GET', '/v1/me', { token })).status
const signIn = (email: string, password: string) =>
  server.request('POST', '/public/sessions', { body: { email, password } })
const again = (token: string, headers = {}) => server.request('POST', '/v1/me/verification', { token, headers })
const open = (token: string) => server.request('GET', `/public/verifications/${token}`)
const verify = (token: string) => server.request('POST', `/public/verifications/${token}`)

async function mailed({ email }: { email: string }): Promise<string> {
  await runSweep(server, sendMailSweep)
  return tokenIn(textOf(mail.sent, email, 'ear_verify_'))
}

const names = (answer: { body: { workspaces: Array<{ id: string }> } }) => answer.body.workspaces.map(({ id }) => id)

describe('the mailed link', () => {
  test('proves the mailbox when its form is posted, and not when it is opened', async () => {
    const person = await signUp(server)
    const { key } = await createApiKey(server, person.token, [])
    const token = await mailed(person)
    expect(await me(person.token)).toMatchObject({ verified: false })
    expect(mail.sent.at(-1)?.text).toContain(`/public/verifications/${token}`)
    const page = await open(token)
    expect([page.status, page.text]).toEqual([200, expect.stringContaining(person.email)])
    expect(await me(person.token)).toMatchObject({ verified: false })
    const posted = await server.request('POST', `/public/verifications/${token}`, { body: '', headers: FORM })
    expect([posted.status, posted.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(await me(person.token)).toMatchObject({ verified: true })
    expect(await me(key)).toMatchObject({ verified: true })
    expect(await verify(token)).toMatchObject({ status: 204, text: '' })
  })

  test('is sent again on request, replaces the one before, and ends after 7 days', async () => {
    const person = await signUp(server)
    const first = await mailed(person)
    expect(await again(person.token, { 'accept-language': 'de' })).toMatchObject({
      status: 202,
      body: { verified: false },
    })
    const second = await mailed(person)
    expect(mail.sent.at(-1)?.subject).toBe('Adresse bestätigen')
    expect((await verify(first)).status).toBe(404)
    server.clock.advance(7 * DAY_MS)
    expect(await open(second)).toMatchObject({ status: 404, text: expect.stringContaining('older than 7 days') })
    const { token } = (await signIn(person.email, person.password)).body
    expect((await again(token)).status).toBe(202)
    expect((await verify(await mailed(person))).status).toBe(204)
    expect(await again(token)).toMatchObject({ status: 200, body: { verified: true } })
    const { key } = await createApiKey(server, token, [])
    expect(await again(key)).toMatchObject({ status: 403, body: { code: 'session_required' } })
  })

  test('is sent five times an hour at most', async () => {
    const person = await signUp(server)
    const statuses = []
    for (let n = 0; n < 6; n++) statuses.push((await again(person.token)).status)
    expect(statuses).toEqual([202, 202, 202, 202, 202, 429])
  })

  test('of a second account moves its workspace to the proven one, and ends its sessions and keys', async () => {
    const owner = await createWorkspace(server)
    const second = await signUp(server, { email: owner.email, password: PASSWORD })
    const { key } = await createApiKey(server, second.token, [])
    expect((await verify(await mailed(second))).status).toBe(204)
    expect([await statusOf(second.token), await statusOf(key)]).toEqual([401, 401])
    expect((await signIn(owner.email, PASSWORD)).status).toBe(401)
    expect(names(await signIn(owner.email, owner.password))).toEqual([owner.workspaceId, second.workspaceId])
  })
})

describe('in production a workspace whose maker is not proven', () => {
  let live: TestServer
  let person: TestWorkspace
  beforeAll(async () => {
    live = await startTestServer({
      env: {
        ENVIRONMENT: 'production',
        DATABASE_URL: 'postgres://unused',
        PUBLIC_BASE_URL: 'https://voc.example',
        SIGNUPS: 'open',
      },
    })
    person = await signUp(live)
  })
  afterAll(() => live.close())

  const refused = async (method: string, path: string, body: unknown, headers = {}) =>
    expect(await live.request(method, path, { token: person.token, body, headers })).toMatchObject({
      status: 403,
      body: { code: 'unverified' },
    })

  test('invites nobody and sends nothing, until the mailbox is proved', async () => {
    const outbox = recordEmail(live)
    const { token } = person
    const survey = await live.request('POST', '/v1/surveys', {
      token,
      body: { name: 'S', metric: 'nps', default_language: 'en', questions: [{ id: 'q1', type: 'nps', title: 'T' }] },
    })
    expect(survey.status, 'it works').toBe(201)
    await live.request('POST', `/v1/surveys/${survey.body.id}/publish`, { token })
    const roles = (await live.request('GET', '/v1/roles', { token })).body.data
    const templateId = await makeId(live, person, 'template')
    const invite = `/v1/surveys/${survey.body.id}/invite`
    const recipients = [{ email: 'grace@example.com' }]
    await refused('POST', '/v1/members/invitations', { email: 'grace@example.com', role_id: roles[0].id })
    await refused('POST', invite, { channel: 'email', recipients })
    await refused('POST', `${invite}/csv?channel=email`, 'email\ngrace@example.com\n', { 'content-type': 'text/csv' })
    await refused('POST', `/v1/email-templates/${templateId}/test`, { to: 'grace@example.com' })
    await runSweep(live, sendMailSweep)
    expect(outbox.sent.map(({ to, subject }) => [to, subject])).toEqual([[person.email, 'Confirm your address']])
    const proof = tokenIn(outbox.sent[0]?.text)
    expect((await live.request('POST', `/public/verifications/${proof}`)).status).toBe(204)
    const invited = await live.request('POST', invite, { token, body: { channel: 'email', recipients } })
    expect(invited).toMatchObject({ status: 202, body: { accepted: 1 } })
  })

  test('sends nothing of what was planned before, at its moment', async () => {
    const { token, workspaceId } = await createWorkspace(live)
    const surveyId = await publishSurvey(live, token)
    const invite = await live.request('POST', `/v1/surveys/${surveyId}/invite`, {
      token,
      body: { channel: 'email', recipients: [{ email: 'later@example.com' }] },
    })
    expect(invite.status).toBe(202)
    const roles = (await live.request('GET', '/v1/roles', { token })).body.data
    await live.request('POST', '/v1/members/invitations', {
      token,
      body: { email: 'later@example.com', role_id: roles[0].id },
    })
    await live.peek('update workspaces set unproven = true where tenant_id = $1', [parseId('workspace', workspaceId)])
    const outbox = recordEmail(live)
    await runSweep(live, dispatchSweeps.email)
    await runSweep(live, sendMailSweep)
    expect(outbox.sent.filter(({ to }) => to === 'later@example.com')).toEqual([])
    expect((await live.request('GET', '/v1/sends', { token })).body.data).toMatchObject([
      { status: 'failed', reason: 'unverified' },
    ])
  })
})
