import { afterAll, beforeAll, expect, test } from 'vitest'
import { formatId, parseId, type Id } from '../../../platform/ids.ts'
import { createApiKey, createMember, createWorkspace, runSweep, type TestWorkspace } from '../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../testing/harness.ts'
import { recordEmail } from '../../../testing/recording-email.ts'
import { sendMailSweep } from '../mail/mail.feature.ts'
import { overdueSessionsSweep } from '../sessions/sessions.feature.ts'
import { findUser, hashForAddress, replaceOwnPassword } from '../users/users.service.ts'

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0'
const SAFARI =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1'
const NEW_PASSWORD = 'correct horse battery staple'
const MINUTE_MS = 60_000

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ env: { TRUSTED_PROXIES: '127.0.0.1/32' } })
})
afterAll(() => server.close())

const from = (ip: string, userAgent = FIREFOX) => ({ 'x-forwarded-for': ip, 'user-agent': userAgent })
const me = (token: string, headers = {}) => server.request('GET', '/v1/me', { token, headers })
const patchMe = (token: string, body: unknown) => server.request('PATCH', '/v1/me', { token, body })
const sessionsOf = async (token: string, query = '') =>
  (await server.request('GET', `/v1/me/sessions${query}`, { token })).body
const changePassword = (token: string, current: string, next = NEW_PASSWORD, headers = {}) =>
  server.request('POST', '/v1/me/password', {
    token,
    body: { current_password: current, new_password: next },
    headers: { 'x-forwarded-for': '192.0.2.1', ...headers },
  })
const userOf = ({ userId }: { userId: string }) => parseId('user', userId) as Id<'user'>

async function signIn(
  { email, password }: Pick<TestWorkspace, 'email' | 'password'>,
  headers: Record<string, string> = from('192.0.2.1'),
) {
  const answer = await server.request('POST', '/public/sessions', { body: { email, password }, headers })
  return { status: answer.status, token: answer.body.token as string }
}

async function twoWorkspaces() {
  const first = await createWorkspace(server)
  return { first, second: await createWorkspace(server, { ...first, workspace_name: 'Second' }) }
}

const entries = (action: string, id: string) =>
  server.peek<{ tenant_id: string; target_id: string; changes: object[] }>(
    'select tenant_id, target_id, changes from audit_entries where action = $1 and actor_id = $2 order by id',
    [action, id],
  )

test('a person sees their role, their workspaces with the role in each, their session and their address', async () => {
  const { first, second } = await twoWorkspaces()
  const host = await createWorkspace(server, { workspace_name: 'Host' })
  const viewer = await createMember(server, host.token, 'viewer')
  const { body } = await me(first.token, from('198.51.100.7'))
  expect(body).toMatchObject({
    role: { name: 'owner' },
    workspaces: [
      { id: first.workspaceId, name: 'Acme', role: { name: 'owner' } },
      { id: second.workspaceId, name: 'Second', role: { name: 'owner' } },
    ],
    session: {
      created_at: server.clock.now().toISOString(),
      expires_at: new Date(server.clock.now().getTime() + 30 * 24 * 60 * MINUTE_MS).toISOString(),
    },
    client_ip: '198.51.100.7',
    user: { id: first.userId, language: null, preferences: {} },
  })
  expect(body.session.id).toMatch(/^ses_/)
  expect((await me(viewer.token)).body).toMatchObject({
    role: { id: viewer.roleId, name: 'viewer' },
    workspaces: [{ id: host.workspaceId, role: { name: 'viewer' } }],
  })
})

test('a key has no role, no session, no user and one workspace, and cannot touch an account', async () => {
  const { first } = await twoWorkspaces()
  const { key } = await createApiKey(server, first.token, [])
  expect((await me(key)).body).toMatchObject({
    role: null,
    session: null,
    user: null,
    workspaces: [{ id: first.workspaceId, name: 'Acme', role: null }],
  })
  for (const [method, path, body] of [
    ['PATCH', '/v1/me', { name: 'Grace' }],
    ['POST', '/v1/me/password', { current_password: first.password, new_password: NEW_PASSWORD }],
    ['GET', '/v1/me/sessions', undefined],
    ['DELETE', '/v1/me/sessions', undefined],
    ['DELETE', '/v1/me/sessions/ses_01jqe5v0k8e9r9d3z2m6h7t4xw', undefined],
  ] as const)
    expect(await server.request(method, path, { token: key, body })).toMatchObject({
      status: 403,
      body: { code: 'session_required' },
    })
  expect((await signIn(first)).status).toBe(201)
})

test('name, language and preferences hold in every workspace, and preferences are merged by member', async () => {
  const { first, second } = await twoWorkspaces()
  const changed = await patchMe(first.token, {
    name: 'Ada King',
    language: 'pt_BR',
    preferences: { theme: 'dark', columns: { responses: ['score'] } },
  })
  expect(changed).toMatchObject({
    status: 200,
    body: { user: { name: 'Ada King', language: 'pt-BR', preferences: { theme: 'dark' } } },
  })
  await patchMe(second.token, { preferences: { theme: null, density: 'close' } })
  expect((await me(first.token)).body.user).toMatchObject({
    name: 'Ada King',
    language: 'pt-BR',
    preferences: { columns: { responses: ['score'] }, density: 'close' },
  })
  expect((await patchMe(first.token, { language: null })).body.user.language).toBeNull()
  expect((await server.request('GET', '/v1/members', { token: second.token })).body.data[0].name).toBe('Ada King')
  expect(await entries('user.update', first.userId)).toMatchObject([
    {
      tenant_id: parseId('workspace', first.workspaceId),
      changes: [{ path: 'name' }, { path: 'language' }, { path: 'preferences' }],
    },
    { tenant_id: parseId('workspace', second.workspaceId), changes: [{ path: 'preferences' }] },
    { changes: [{ path: 'language' }] },
  ])
})

test('preferences above 8 KiB in all, and members that are not known, are refused and change nothing', async () => {
  const { token } = await createWorkspace(server)
  expect((await patchMe(token, { preferences: { a: 'x'.repeat(8_000) } })).status).toBe(200)
  expect(await patchMe(token, { name: 'Other', preferences: { b: 'ü'.repeat(100) } })).toMatchObject({
    status: 422,
    body: { code: 'preferences_too_large', issues: [{ path: 'preferences' }] },
  })
  expect((await patchMe(token, { email: 'other@example.com' })).status).toBe(400)
  expect((await me(token)).body.user).toMatchObject({ name: 'Ada Lovelace', preferences: { a: 'x'.repeat(8_000) } })
})

test('two changes at once both stay', async () => {
  const { token } = await createWorkspace(server)
  await Promise.all(['a', 'b', 'c', 'd'].map((name) => patchMe(token, { preferences: { [name]: true } })))
  expect((await me(token)).body.user.preferences).toEqual({ a: true, b: true, c: true, d: true })
})

test('sessions of all workspaces are listed with the address and program of their last use, page by page', async () => {
  const { first, second } = await twoWorkspaces()
  const phone = (await signIn(first, from('2001:db8::7', SAFARI))).token
  server.clock.advance(2 * MINUTE_MS)
  await me(first.token, from('203.0.113.9'))
  const { data } = await sessionsOf(first.token)
  expect(data).toHaveLength(3)
  expect(data.map((row: { workspace: { id: string } }) => row.workspace.id)).toEqual([
    second.workspaceId,
    second.workspaceId,
    first.workspaceId,
  ])
  expect(data[0]).toMatchObject({
    current: false,
    client_ip: '2001:db8::7',
    agent: { browser: 'Safari', system: 'iOS' },
  })
  expect(data[2]).toMatchObject({
    current: true,
    client_ip: '203.0.113.9',
    agent: { browser: 'Firefox', system: 'Linux' },
    last_used_at: server.clock.now().toISOString(),
  })
  const page = await sessionsOf(first.token, '?limit=2')
  expect(page.data).toEqual(data.slice(0, 2))
  expect((await sessionsOf(first.token, `?limit=2&cursor=${page.next_cursor}`)).data).toEqual(data.slice(2))
  const rows = await server.peek<{ row: string }>('select s::text as row from sessions s')
  for (const { row } of rows) expect(row).not.toMatch(/203\.0\.113\.9|2001:db8|Firefox|Safari/)
  expect((await me(phone)).body.session.id).toBe(data[0].id)
})

test('a program without a name, or with a strange one, signs in and is listed', async () => {
  const person = await createWorkspace(server)
  for (const agent of ['', '\u0001', 'a'.repeat(4_000), '((((((((', 'curl/8.5.0', '<script>alert(1)</script>/1 x'])
    expect((await signIn(person, { ...from('192.0.2.1'), 'user-agent': agent })).status).toBe(201)
  const { data } = await sessionsOf(person.token)
  expect(data).toHaveLength(7)
  for (const { agent } of data) expect(JSON.stringify(agent).length).toBeLessThan(200)
})

test('a person ends one session elsewhere, and it is 401 at its next call', async () => {
  const { first, second } = await twoWorkspaces()
  const there = (await me(second.token)).body.session.id
  expect((await server.request('DELETE', `/v1/me/sessions/${there}`, { token: first.token })).status).toBe(204)
  expect((await me(second.token)).status).toBe(401)
  expect((await me(first.token)).status).toBe(200)
  expect(await entries('session.end', first.userId)).toMatchObject([
    { tenant_id: parseId('workspace', second.workspaceId), target_id: there },
  ])
  const again = await server.request('DELETE', `/v1/me/sessions/${there}`, { token: first.token })
  expect(again.status).toBe(404)
})

test('somebody else’s session is not found, in the same workspace too', async () => {
  const { token } = await createWorkspace(server)
  const member = await createMember(server, token, 'viewer')
  const theirs = (await me(member.token)).body.session.id
  expect((await server.request('DELETE', `/v1/me/sessions/${theirs}`, { token })).status).toBe(404)
  expect((await me(member.token)).status).toBe(200)
  expect((await sessionsOf(token)).data).toHaveLength(1)
})

test('a person ends all other sessions, and only theirs', async () => {
  const { first, second } = await twoWorkspaces()
  const third = await signIn(first)
  const member = await createMember(server, first.token, 'viewer')
  expect((await server.request('DELETE', '/v1/me/sessions', { token: first.token })).status).toBe(204)
  for (const { token } of [second, third]) expect((await me(token)).status).toBe(401)
  for (const { token } of [first, member]) expect((await me(token)).status).toBe(200)
  expect(await entries('session.end', first.userId)).toHaveLength(2)
})

test('a new password ends all other sessions, keeps this one, and a mail reports it in the chosen language', async () => {
  const mail = recordEmail(server)
  const { first, second } = await twoWorkspaces()
  await patchMe(first.token, { language: 'de-AT' })
  expect((await changePassword(first.token, first.password)).status).toBe(204)
  expect((await me(second.token)).status).toBe(401)
  expect((await me(first.token)).status).toBe(200)
  expect((await signIn(first)).status).toBe(401)
  expect((await signIn({ ...first, password: NEW_PASSWORD })).status).toBe(201)
  await runSweep(server, sendMailSweep)
  const letters = mail.sent.filter(({ to, subject }) => to === first.email && /Passwort/.test(subject))
  expect(letters).toHaveLength(1)
  expect(letters[0]?.text).not.toContain(NEW_PASSWORD)
  expect((await entries('user.password_change', first.userId)).map(({ tenant_id }) => tenant_id)).toEqual(
    [first, second].map(({ workspaceId }) => parseId('workspace', workspaceId)),
  )
})

test('a wrong password is 403, changes nothing, and counts with those of the sign-in', async () => {
  const person = await createWorkspace(server)
  expect((await signIn(person)).status).toBe(201)
  for (let attempt = 0; attempt < 5; attempt++) {
    expect(await changePassword(person.token, 'not the password')).toMatchObject({
      status: 403,
      body: { code: 'wrong_password' },
    })
    expect((await signIn({ ...person, password: 'not the password' })).status).toBe(401)
  }
  expect((await changePassword(person.token, person.password)).status).toBe(429)
  expect((await signIn(person)).status).toBe(429)
  const elsewhere = await changePassword(person.token, person.password, 'short', { 'x-forwarded-for': '192.0.2.99' })
  expect(elsewhere.status).toBe(400)
  expect((await me(person.token)).status).toBe(200)
})

test('of two new passwords at once one is taken, and the other is refused', async () => {
  const person = await createWorkspace(server)
  const other = (await signIn(person)).token
  const passwords = ['the password of the first', 'the password of the second']
  const answers = await Promise.all(
    [person.token, other].map((token, n) => changePassword(token, person.password, passwords[n])),
  )
  const taken = answers.findIndex(({ status }) => status === 204)
  // The first one may have ended the session of the second by then.
  expect([401, 403]).toContain(answers[1 - taken]?.status)
  for (const [n, password] of passwords.entries())
    expect((await signIn({ ...person, password })).status).toBe(n === taken ? 201 : 401)
})

test('after a crash the sweep ends the other sessions, keeps the session that set the password, and sends the mail', async () => {
  const mail = recordEmail(server)
  const { first, second } = await twoWorkspaces()
  const kept = (await me(first.token)).body.session.id
  await server.services.run(async (system) => {
    const user = await findUser(system, userOf(first))
    if (!user) throw new Error('no such person')
    const hash = await hashForAddress(system, first.email, NEW_PASSWORD)
    await replaceOwnPassword(system, user, hash, parseId('session', kept) as Id<'session'>)
  })
  expect(await runSweep(server, overdueSessionsSweep)).toBe(1)
  expect((await me(second.token)).status).toBe(401)
  expect((await me(first.token)).body.session.id).toBe(kept)
  await runSweep(server, sendMailSweep)
  expect(mail.sent.filter(({ to }) => to === first.email)).toHaveLength(1)
  expect(await runSweep(server, overdueSessionsSweep)).toBe(0)
  expect(formatId('user', userOf(first))).toBe(first.userId)
})
