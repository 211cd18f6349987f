import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createWorkspace, createInvitation, runSweep } from '../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../testing/harness.ts'
import { recordEmail } from '../../testing/recording-email.ts'
import { sendMailSweep } from '../../features/access/mail/mail.feature.ts'
import { nameIssue, quotedName } from './names.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const signUp = (names: { workspace_name?: string; name?: string }) =>
  server.request('POST', '/public/workspaces', {
    body: {
      workspace_name: 'Acme',
      name: 'Ada',
      email: `ada-${Math.random()}@example.com`,
      password: 'correct horse battery',
      ...names,
    },
  })

describe.each(['workspace_name', 'name'] as const)('%s', (field) => {
  test.each([
    'Ada\nBcc: everybody',
    'Ada\rLovelace',
    'Ada\tLovelace',
    'Ada\u0085Lovelace',
    'Ada\u2028Lovelace',
    'Ada\u2029Lovelace',
    ...'\u0001\u007f\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069'
      .split('')
      .map((mark) => `Ada${mark}Lovelace`),
    '\u200b',
    '\u200b\u200c \u200d\ufeff\u2060',
    '\u00ad',
    ...'\u3164\u2800\u115f\u1160\uffa0'
      .split('')
      .flatMap((blank) => [blank, `${blank} ${blank}`, `Ada${blank}Lovelace`]),
    ...'\u00ad\u034f\u200b\u2060\u2064\u180e\ufeff'.split('').map((mark) => `Ad${mark}a`),
    'Ada\u{e0041}',
    'Ada\u{e0100}',
    '\u200dAda',
    'Ada\u200d',
    'Ada\u200c Lovelace',
    'Ada \ufe0fLovelace',
    'Ada\ufe0f\ufe0e',
    'Ada\u200d\u200dLovelace',
  ])('%j is refused, and the issue says what to do', async (name) => {
    expect(await signUp({ [field]: name })).toMatchObject({
      status: 400,
      body: { issues: [{ path: field, message: expect.stringMatching(/Take them out\.|needs at least one/) }] },
    })
  })

  test.each([
    'Ada Lovelace',
    'Åsa-Märta O’Neil, Jr.',
    '山田 太郎',
    'أحمد',
    '👩‍🚀 Space',
    'क्‍ष',
    'می‌خواهم',
    'I ❤️',
    '❤️‍🔥 Ltd',
    '👨‍👩‍👧 1️⃣',
    '7',
    '"Acme" <Ltd> & Sons',
  ])('%j is taken as it is', async (name) => {
    const answer = await signUp({ [field]: name })
    expect(answer.status, answer.text).toBe(201)
    expect(field === 'name' ? answer.body.user.name : answer.body.workspace.name).toBe(name)
  })
})

test('a workspace cannot be renamed, nor an invitation accepted, with a name of several lines', async () => {
  const { token } = await createWorkspace(server)
  expect(await server.request('PATCH', '/v1/org', { token, body: { name: 'A\nB' } })).toMatchObject({
    status: 400,
    body: { issues: [{ path: 'name' }] },
  })
  const invitation = await createInvitation(server, token, 'viewer')
  const accept = { body: { name: 'A\u202eB', password: 'correct horse battery' } }
  expect(await server.request('POST', `/public/invitations/${invitation.token}/accept`, accept)).toMatchObject({
    status: 400,
    body: { issues: [{ path: 'name' }] },
  })
})

test('an invitation carries the name of the workspace once, in quotes, and no other text that a user chose', async () => {
  const workspace = 'Win "money" at evil.example'
  const person = 'Mallory of evil.example'
  const { token } = await createWorkspace(server, { workspace_name: workspace, name: person })
  const role = await server.request('POST', '/v1/roles', { token, body: { name: 'Prize winners', permissions: [] } })
  const mail = recordEmail(server)
  const invited = await server.request('POST', '/v1/members/invitations', {
    token,
    body: { email: 'stranger@example.com', role_id: role.body.id },
  })
  expect(invited.status).toBe(201)
  await runSweep(server, sendMailSweep)
  const sent = mail.sent.find((message) => message.to === 'stranger@example.com')
  const whole = JSON.stringify([sent?.subject, sent?.text, sent?.html ?? '', sent?.fromName ?? ''])
  // Once in the text, and once in its HTML form.
  expect(sent?.text.split('evil.example')).toHaveLength(2)
  expect(whole.split('evil.example')).toHaveLength(3)
  expect(sent?.text).toContain("“Win 'money' at evil.example”")
  expect(whole).not.toMatch(/Mallory|Prize/)
})

test('a name from before the rule is quoted on one line', () => {
  expect(quotedName('Acme\n\nClick “here” \u202enow')).toBe("“Acme Click 'here' now”")
})

test('a Japanese name keeps the form of its characters', () => {
  expect(nameIssue('\u845B\u{E0100}城')).toBeNull()
})
