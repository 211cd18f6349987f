import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createApiKey, createWorkspace, runSweep, tokenIn } from '../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../testing/harness.ts'
import { recordEmail, type RecordingEmail } from '../../../testing/recording-email.ts'
import { sendMailSweep } from '../mail/mail.feature.ts'
import { overdueSessionsSweep } from '../sessions/sessions.feature.ts'
import { mailResetsSweep } from './password-resets.feature.ts'

const HOUR_MS = 3_600_000
const NEW_PASSWORD = 'a completely new one'

let server: TestServer
let mail: RecordingEmail
beforeAll(async () => {
  server = await startTestServer({ env: { PUBLIC_BASE_URL: 'https://feedback.example.com' } })
  mail = recordEmail(server)
})
beforeEach(() => void (mail.sent.length = 0))
afterAll(() => server.close())

const request = (email: string) => server.request('POST', '/public/password-resets', { body: { email } })
const reset = (token: string, password = NEW_PASSWORD) =>
  server.request('POST', `/public/password-resets/${token}`, { body: { password } })
const signIn = (email: string, password: string) =>
  server.request('POST', '/public/sessions', { body: { email, password } })
const me = async (token: string) => (await server.request('GET', '/v1/me', { token })).status

async function mailedToken(email: string): Promise<string> {
  await runSweep(server, mailResetsSweep)
  await runSweep(server, sendMailSweep)
  return tokenIn(mail.sent.findLast((message) => message.to === email)?.text)
}

test('a mailed token sets a new password once, and the old one works no longer', async () => {
  const { email, password } = await createWorkspace(server)
  expect(await request(email.toUpperCase())).toMatchObject({ status: 202, text: '' })
  const token = await mailedToken(email)
  expect(mail.sent).toHaveLength(1)
  expect(mail.sent[0]?.text).toContain(`https://feedback.example.com/public/password-resets/${token}`)
  expect(await reset(token)).toMatchObject({ status: 204, text: '' })
  expect((await signIn(email, password)).status).toBe(401)
  expect((await signIn(email, NEW_PASSWORD)).status).toBe(201)
  expect((await reset(token)).status).toBe(404)
})

test('a new password ends the person’s sessions in every workspace, and touches neither keys nor other people', async () => {
  const first = await createWorkspace(server)
  const second = await createWorkspace(server, { email: first.email, password: first.password })
  const stranger = await createWorkspace(server)
  const { key } = await createApiKey(server, first.token, [])
  await request(first.email)
  await reset(await mailedToken(first.email))
  expect(await Promise.all([first.token, second.token, stranger.token, key].map(me))).toEqual([401, 401, 200, 200])
  expect(await runSweep(server, overdueSessionsSweep)).toBe(0)
})

test('sessions that a crash left open after a new password are ended by the sweep', async () => {
  const { email, token } = await createWorkspace(server)
  await server.peek('update users set sessions_to_end = true where email = $1', [email])
  expect(await me(token)).toBe(200)
  expect(await runSweep(server, overdueSessionsSweep)).toBe(1)
  expect(await me(token)).toBe(401)
  expect(await runSweep(server, overdueSessionsSweep)).toBe(0)
})

test('known and unknown addresses get the same answer by the same statements', async () => {
  const { email } = await createWorkspace(server)
  const seen = []
  for (const address of [email, 'nobody@example.com']) {
    server.statements.length = 0
    const answer = await request(address)
    seen.push({ status: answer.status, text: answer.text, statements: server.statements.map(({ text }) => text) })
  }
  expect(seen[0]).toEqual(seen[1])
  await mailedToken(email)
  expect(mail.sent.map((message) => message.to)).toEqual([email])
  expect(await server.peek(`select 1 from password_resets where email is not null`)).toEqual([])
})

test('a token is good for an hour, and using one ends the others of the same person', async () => {
  const { email } = await createWorkspace(server)
  await request(email)
  const late = await mailedToken(email)
  server.clock.advance(HOUR_MS)
  expect((await reset(late)).status).toBe(404)
  await request(email)
  const first = await mailedToken(email)
  await request(email)
  const second = await mailedToken(email)
  server.clock.advance(HOUR_MS - 1)
  expect((await reset(first)).status).toBe(204)
  expect((await reset(second)).status).toBe(404)
  expect((await reset('nonsense')).status).toBe(404)
})

test('one token is used up by one of two at the same moment', async () => {
  const { email } = await createWorkspace(server)
  await request(email)
  const token = await mailedToken(email)
  const answers = await Promise.all([reset(token), reset(token, 'another new password')])
  expect(answers.map((answer) => answer.status).sort()).toEqual([204, 404])
})

test('a password that is too short uses no token up', async () => {
  const { email } = await createWorkspace(server)
  await request(email)
  const token = await mailedToken(email)
  expect(await reset(token, 'short')).toMatchObject({ status: 400, body: { issues: [{ path: 'password' }] } })
  expect((await reset(token)).status).toBe(204)
})

test('requests for one address are throttled alike, whether somebody has it or not', async () => {
  const { email } = await createWorkspace(server)
  for (const address of [email, 'never-seen@example.com']) {
    const statuses = []
    for (let i = 0; i < 6; i++) statuses.push((await request(address)).status)
    expect(statuses).toEqual([202, 202, 202, 202, 202, 429])
  }
})

test('neither the request nor the stored mail holds the token in the clear', async () => {
  const { email } = await createWorkspace(server)
  await request(email)
  await runSweep(server, mailResetsSweep)
  const stored = JSON.stringify(
    await server.peek('select r::text from password_resets r union all select e::text from outgoing_emails e'),
  )
  const token = await mailedToken(email)
  expect(stored).not.toContain(token)
  expect(stored).not.toContain('ear_reset_')
})
