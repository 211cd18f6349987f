import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLog } from '../../../platform/config/log.ts'
import { createInvitation, createWorkspace, runSweep, tokenIn } from '../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../testing/harness.ts'
import { recordEmail } from '../../../testing/recording-email.ts'
import { sendMailSweep } from '../mail/mail.feature.ts'
import { mailResetsSweep } from '../password-resets/password-resets.feature.ts'

const DAY_MS = 24 * 3_600_000
const PASSWORD = 'correct horse battery'

let server: TestServer
const lines: string[] = []
beforeAll(async () => {
  server = await startTestServer({ log: createLog('trace', { write: (line) => void lines.push(line) }) })
})
afterAll(() => server.close())

const open = (path: string, headers: Record<string, string> = {}) => server.request('GET', path, { headers })
const post = (path: string, fields: Record<string, string>) =>
  server.request('POST', path, {
    body: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
const signIn = (email: string, password: string) =>
  server.request('POST', '/public/sessions', { body: { email, password } })
const sessions = async () => (await server.peek('select 1 from sessions')).length

/** The link of a mail, as somebody clicks it. */
function linkIn(text: string | undefined): string {
  const url = /^http:\/\/localhost:8080(\/\S+)$/m.exec(text ?? '')?.[1]
  if (!url) throw new Error('the mail carries no link')
  return url
}

async function resetLink(email: string): Promise<string> {
  const mail = recordEmail(server)
  mail.sent.length = 0
  await server.request('POST', '/public/password-resets', { body: { email } })
  await runSweep(server, mailResetsSweep)
  await runSweep(server, sendMailSweep)
  return linkIn(mail.sent.find((message) => message.to === email)?.text)
}

function expectPage(answer: Awaited<ReturnType<typeof open>>, status: number): void {
  expect(answer.status, answer.text).toBe(status)
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(answer.headers.get('content-security-policy')).toMatch(/default-src 'none'.*frame-ancestors 'none'/)
  expect(answer.text).not.toContain('<script')
  expect(answer.text.includes(answer.headers.get('x-request-id') ?? '')).toBe(status >= 400)
}

test('the link of an invitation opens a form, and the form makes a member who can sign in', async () => {
  const { token, workspaceId } = await createWorkspace(server, { workspace_name: '<b>Acme</b>' })
  const invitation = await createInvitation(server, token, 'viewer')
  const path = linkIn(recordEmail(server).sent.find((message) => message.to === invitation.email)?.text)
  expect(path).toBe(`/public/invitations/${invitation.token}`)

  const page = await open(path)
  expectPage(page, 200)
  expect(page.text).toContain('“&lt;b&gt;Acme&lt;/b&gt;”')
  expect(page.text).toContain(invitation.email)
  expect(page.text).toMatch(/<form method="post">.*name="name".*name="password".*minlength="10"/s)
  expect(page.text).not.toContain(invitation.token)

  const short = await post(path, { name: 'Grace', password: 'short' })
  expectPage(short, 400)
  expect(short.text).toMatch(/role="alert">A password needs at least 10 characters\./)
  const before = await sessions()
  const joined = await post(path, { name: 'Grace', password: PASSWORD })
  expectPage(joined, 200)
  expect(joined.text).toContain('<a href="/app">You can sign in now.</a>')
  expect(await sessions()).toBe(before)
  expect((await signIn(invitation.email, PASSWORD)).body).toMatchObject({
    user: { name: 'Grace' },
    workspace: { id: workspaceId },
  })

  for (const gone of [await open(path), await post(path, { password: PASSWORD })]) {
    expectPage(gone, 404)
    expect(gone.text).toContain('This invitation does not work any more')
  }
})

test('who has an account gives its password, and a wrong one leaves the invitation open', async () => {
  const person = await createWorkspace(server)
  const { token } = await createWorkspace(server)
  const invitation = await createInvitation(server, token, 'viewer', person.email)
  const path = `/public/invitations/${invitation.token}`
  expect((await open(path)).text).toMatch(/The password of your Earshot account(?!.*name="name")/s)
  const wrong = await post(path, { password: 'not the password' })
  expectPage(wrong, 401)
  expect(wrong.text).toContain('role="alert"')
  expectPage(await post(path, { password: person.password }), 200)
  expect((await signIn(person.email, person.password)).body.workspaces).toHaveLength(2)
})

test('an expired or unknown invitation is a page that says so, or a problem for a program', async () => {
  const { token } = await createWorkspace(server)
  const { token: invitation } = await createInvitation(server, token, 'viewer')
  server.clock.advance(7 * DAY_MS)
  for (const path of [`/public/invitations/${invitation}`, '/public/invitations/nonsense']) {
    expectPage(await open(path, { accept: 'text/html,*/*' }), 404)
    expect(await open(path, { accept: 'application/json' })).toMatchObject({ status: 404, body: { code: 'not_found' } })
  }
})

test('the link of a reset opens a form, and the form sets the password once', async () => {
  const { email } = await createWorkspace(server)
  const path = await resetLink(email)
  expect(path).toMatch(/^\/public\/password-resets\/ear_\w+$/)
  expectPage(await open(path), 200)
  expectPage(await open(path), 200)
  const short = await post(path, { password: 'short' })
  expectPage(short, 400)
  expect(short.text).toContain('<form method="post">')
  const done = await post(path, { password: 'another long password' })
  expectPage(done, 200)
  expect(done.text).toContain('You can sign in with it now.')
  expect((await signIn(email, 'another long password')).status).toBe(201)
  for (const gone of [await open(path), await post(path, { password: PASSWORD })]) expectPage(gone, 404)
  expect((await signIn(email, 'another long password')).status).toBe(201)
})

test('the same reset still takes JSON from programs, and an expired one is a page', async () => {
  const { email } = await createWorkspace(server)
  const path = await resetLink(email)
  expect(await server.request('POST', path, { body: { password: 'short' } })).toMatchObject({
    status: 400,
    body: { issues: [{ path: 'password' }] },
  })
  expect((await server.request('POST', path, { body: { password: 'another long password' } })).status).toBe(204)
  const second = await resetLink(email)
  server.clock.advance(3_600_000)
  expectPage(await open(second), 404)
})

test('no token of a link stands in the log', () => {
  const tokens = recordEmail(server).sent.map((message) => tokenIn(message.text))
  expect(tokens.length).toBeGreaterThan(0)
  expect(lines.filter((line) => line.includes('/public/invitations/')).length).toBeGreaterThan(0)
  expect(
    lines.filter((line) => /ear_(?:inv|reset|session)\w+/.test(line) || tokens.some((token) => line.includes(token))),
  ).toEqual([])
})

test('the pages speak the language of the browser, and no other', async () => {
  const { token, email } = await createWorkspace(server, { workspace_name: '١٢٣' })
  const invitation = await createInvitation(server, token, 'viewer')
  const reset = await resetLink(email)
  const paths = [`/public/invitations/${invitation.token}`, '/public/invitations/unknown', reset]
  for (const path of paths) {
    const { text } = await open(path, { 'accept-language': 'ar-EG,ar;q=0.9' })
    expect(text).toContain('<html lang="ar" dir="rtl">')
    const shown = text
      .replace(/<style>.*?<\/style>/s, '')
      .replace(/<[^>]+>/g, ' ')
      .replace(/req_\S+|Earshot/g, '')
      .replaceAll(invitation.email, '')
    expect(shown).not.toMatch(/[A-Za-z]{2}/)
  }
  expect((await open(reset, { 'accept-language': 'xx' })).text).toContain('Set a new password')
})

test('the mails of invitations and resets are in the language of the person who asked for them', async () => {
  const { token, email } = await createWorkspace(server, { workspace_name: '١٢٣' })
  const [role] = (await server.request('GET', '/v1/roles', { token })).body.data
  const mail = recordEmail(server)
  const asked = async (language: string) => {
    mail.sent.length = 0
    const headers = { 'accept-language': language }
    const body = { email: 'noor@example.com', role_id: role.id }
    expect((await server.request('POST', '/v1/members/invitations', { token, body, headers })).status).toBe(201)
    expect((await server.request('POST', '/public/password-resets', { body: { email }, headers })).status).toBe(202)
    await runSweep(server, mailResetsSweep)
    await runSweep(server, sendMailSweep)
    expect(mail.sent).toHaveLength(2)
    return mail.sent
  }
  for (const { subject, text, html } of await asked('ar-EG,en;q=0.5')) {
    expect(html).toContain('<html lang="ar" dir="rtl">')
    expect(`${subject} ${text}`.replace(/http\S+|ear_\S+|Earshot/g, '')).not.toMatch(/[A-Za-z]{2}/)
  }
  const german = await asked('de')
  expect(german.map(({ subject }) => subject).sort()).toEqual([
    'Neues Passwort setzen',
    'Sie sind in einen Arbeitsbereich bei Earshot eingeladen',
  ])
  expect(german.every(({ html }) => html?.includes('lang="de"'))).toBe(true)
  const unknown = await asked('xx')
  expect(unknown.map(({ subject }) => subject)).toContain('Set a new password')
})
