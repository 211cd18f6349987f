import { afterAll, beforeAll, expect, test } from 'vitest'
import { hashToken } from '../../../platform/config/secrets.ts'
import { parseId } from '../../../platform/ids.ts'
import {
  createApiKey,
  createMember,
  createWorkspace,
  runSweep,
  signUp,
  tokenIn,
  type TestWorkspace,
} from '../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../testing/harness.ts'
import { recordEmail, type RecordingEmail } from '../../../testing/recording-email.ts'
import { sendMailSweep } from '../mail/mail.feature.ts'
import { stageEmailToHolders } from './membership.service.ts'

const DAY_MS = 86_400_000

let server: TestServer
let mail: RecordingEmail
let owner: TestWorkspace
beforeAll(async () => {
  server = await startTestServer({ env: { PUBLIC_BASE_URL: 'https://feedback.example.com' } })
  mail = recordEmail(server)
  owner = await createWorkspace(server)
})
afterAll(() => server.close())

async function roleId(token: string, name: string): Promise<string> {
  const { body } = await server.request('GET', '/v1/roles?limit=100', { token })
  return body.data.find((role: { name: string }) => role.name === name).id
}

async function invite(email: string, role = 'viewer', token = owner.token) {
  return server.request('POST', '/v1/members/invitations', {
    token,
    body: { email, role_id: await roleId(token, role) },
  })
}

async function mailedToken(email: string): Promise<string> {
  await runSweep(server, sendMailSweep)
  return tokenIn(mail.sent.findLast((message) => message.to === email)?.text)
}

const accept = (token: string, body: object) => server.request('POST', `/public/invitations/${token}/accept`, { body })

test('an invited person accepts by the mailed token, and is a member with the given role and a session', async () => {
  const invited = await invite('Grace@Example.com', 'analyst')
  expect(invited).toMatchObject({ status: 201, body: { email: 'grace@example.com', role: { name: 'analyst' } } })
  const token = await mailedToken('grace@example.com')
  expect(invited.text).not.toContain(token)
  expect(mail.sent.at(-1)?.text).toContain(`https://feedback.example.com/public/invitations/${token}`)
  const joined = await accept(token, { name: 'Grace Hopper', password: 'correct horse battery' })
  expect(joined).toMatchObject({
    status: 201,
    body: { user: { name: 'Grace Hopper', email: 'grace@example.com' }, workspace: { id: owner.workspaceId } },
  })
  expect((await server.request('GET', '/v1/me', { token: joined.body.token })).body.permissions).toContain(
    'reports.manage',
  )
  const { body } = await server.request('GET', '/v1/members', { token: joined.body.token })
  expect(body.data).toContainEqual(
    expect.objectContaining({
      id: joined.body.user.id,
      email: 'grace@example.com',
      role: { id: await roleId(owner.token, 'analyst'), name: 'analyst' },
    }),
  )
})

test('an invitation works once, for 7 days, until it is withdrawn or replaced; otherwise all are the same 404', async () => {
  const password = 'correct horse battery'
  const texts = new Set<string>()
  const refused = async (token: string) => {
    const answer = await accept(token, { password })
    expect(answer.status).toBe(404)
    texts.add(answer.text.replace(answer.body.request_id, ''))
  }
  await invite('once@example.com')
  const once = await mailedToken('once@example.com')
  expect((await accept(once, { password })).status).toBe(201)
  await refused(once)

  await invite('late@example.com')
  const late = await mailedToken('late@example.com')
  const withdrawn = await invite('withdrawn@example.com')
  const gone = await mailedToken('withdrawn@example.com')
  await server.request('DELETE', `/v1/members/invitations/${withdrawn.body.id}`, { token: owner.token })
  await refused(gone)

  await invite('twice@example.com')
  const first = await mailedToken('twice@example.com')
  await invite('twice@example.com')
  const second = await mailedToken('twice@example.com')
  await refused(first)
  expect(await server.peek('select 1 from directory where key = $1', [hashToken(first)])).toEqual([])
  expect((await accept(second, { password })).status).toBe(201)

  server.clock.advance(7 * DAY_MS - 1)
  expect((await accept(late.slice(0, -1) + (late.endsWith('0') ? '1' : '0'), { password })).status).toBe(404)
  server.clock.advance(1)
  await refused(late)
  await refused('nonsense')
  expect(texts.size).toBe(1)
  owner.token = (await server.request('POST', '/public/sessions', { body: owner })).body.token
})

test('where no mail leaves the server, a link to hand over replaces that of the mail, for the role’s own givers', async () => {
  const invited = await invite('handed@example.com', 'owner')
  const mailed = await mailedToken('handed@example.com')
  const link = (token: string, id = invited.body.id) =>
    server.request('POST', `/v1/members/invitations/${id}/link`, { token })
  const admin = await createMember(server, owner.token, 'admin')
  expect(await link(admin.token)).toMatchObject({ status: 403 })
  const made = await link(owner.token)
  expect(made).toMatchObject({ status: 201 })
  const token = made.body.url.replace('https://feedback.example.com/public/invitations/', '')
  expect((await accept(mailed, { password: 'correct horse battery' })).status).toBe(404)
  expect((await accept(token, { password: 'correct horse battery' })).status).toBe(201)
  expect((await link(owner.token)).status).toBe(404)
})

test('a link to hand over proves no mailbox: accounts that claim the address keep their sessions, keys and workspaces', async () => {
  const victim = await signUp(server)
  const { key } = await createApiKey(server, victim.token, ['surveys.manage'])
  const invited = await invite(victim.email)
  const made = await server.request('POST', `/v1/members/invitations/${invited.body.id}/link`, { token: owner.token })
  const token = made.body.url.split('/').at(-1)
  const page = await server.request('GET', `/public/invitations/${token}`)
  expect(page.text).not.toContain(victim.workspaceId)
  const joined = await accept(token, { password: 'the inviter chose it', keep_workspaces: [victim.workspaceId] })
  expect(joined.status).toBe(201)
  expect(joined.body.workspaces.map(({ id }: { id: string }) => id)).toEqual([owner.workspaceId])
  expect(joined.body.user.id).not.toBe(victim.userId)
  expect((await server.request('GET', '/v1/me', { token: joined.body.token })).body.verified).toBe(false)
  for (const known of [victim.token, key])
    expect((await server.request('GET', '/v1/surveys', { token: known })).status).toBe(200)
  const again = await server.request('POST', '/public/sessions', { body: victim })
  expect(again).toMatchObject({ status: 201, body: { workspace: { id: victim.workspaceId } } })
})

test('where mail goes to a provider, and in production, the link stands in the mail alone', async () => {
  const invited = await invite('mailed@example.com')
  const mailed = await mailedToken('mailed@example.com')
  const { settings } = server.services
  const before = { ...settings }
  for (const changed of [{ production: true }, { configured: { ...settings.configured, email: true } }]) {
    Object.assign(settings, changed)
    const answer = await server.request('POST', `/v1/members/invitations/${invited.body.id}/link`, {
      token: owner.token,
    })
    Object.assign(settings, before)
    expect(answer).toMatchObject({ status: 409, body: { code: 'mailed' } })
  }
  expect((await accept(mailed, { password: 'correct horse battery' })).status).toBe(201)
})

test('an invitation token is used up by one of two at the same moment', async () => {
  await invite('race@example.com')
  const token = await mailedToken('race@example.com')
  const answers = await Promise.all([1, 2].map(() => accept(token, { password: 'correct horse battery' })))
  expect(answers.map((answer) => answer.status).sort()).toEqual([201, 404])
})

test('somebody with an account joins with its password and with no other', async () => {
  const other = await createWorkspace(server)
  await invite(other.email)
  const token = await mailedToken(other.email)
  expect((await accept(token, { password: 'not the password' })).status).toBe(401)
  const joined = await accept(token, { password: other.password, name: 'Somebody Else' })
  expect(joined).toMatchObject({
    status: 201,
    body: { user: { id: other.userId, name: 'Ada Lovelace' }, workspace: { id: owner.workspaceId } },
  })
  expect(joined.body.workspaces.map((workspace: { id: string }) => workspace.id).sort()).toEqual(
    [owner.workspaceId, other.workspaceId].sort(),
  )
})

test('who manages members sees when each was there last, to 5 minutes, and nobody else does', async () => {
  const member = await createMember(server, owner.token, 'viewer')
  const seen = async (token: string) => {
    const { body } = await server.request('GET', '/v1/members?limit=100', { token })
    return body.data.find(({ id }: { id: string }) => id === member.userId).last_seen_at
  }
  await server.request('GET', '/v1/me', { token: member.token })
  const first = server.clock.now().toISOString()
  expect(await seen(owner.token)).toBe(first)
  expect(await seen(member.token)).toBeNull()
  server.clock.advance(5 * 60_000 - 1)
  await server.request('GET', '/v1/me', { token: member.token })
  expect(await seen(owner.token)).toBe(first)
  server.clock.advance(1)
  await server.request('GET', '/v1/me', { token: member.token })
  expect(await seen(owner.token)).toBe(server.clock.now().toISOString())
  // A session that ended takes nothing away.
  await server.request('DELETE', '/v1/session', { token: member.token })
  expect(await seen(owner.token)).toBe(server.clock.now().toISOString())
})

test('a member is not invited again', async () => {
  expect(await invite(owner.email)).toMatchObject({ status: 409, body: { code: 'already_member' } })
})

test('nobody invites to, or gives, a role that holds what they lack', async () => {
  const admin = await createMember(server, owner.token, 'admin')
  const viewer = await createMember(server, owner.token, 'viewer')
  expect(await invite('climber@example.com', 'owner', admin.token)).toMatchObject({
    status: 403,
    body: { permission: 'org.manage' },
  })
  const give = async (userId: string, role: string) =>
    server.request('PATCH', `/v1/members/${userId}`, {
      token: admin.token,
      body: { role_id: await roleId(owner.token, role) },
    })
  expect(await give(viewer.userId, 'owner')).toMatchObject({ status: 403, body: { permission: 'org.manage' } })
  expect(await give(admin.userId, 'owner')).toMatchObject({ status: 403 })
  expect(await give(viewer.userId, 'manager')).toMatchObject({ status: 200, body: { role: { name: 'manager' } } })
})

test('nobody demotes or removes a member who holds what they lack', async () => {
  const admin = await createMember(server, owner.token, 'admin')
  const second = await createMember(server, owner.token, 'owner')
  const viewerRole = await roleId(owner.token, 'viewer')
  expect(
    await server.request('PATCH', `/v1/members/${second.userId}`, {
      token: admin.token,
      body: { role_id: viewerRole },
    }),
  ).toMatchObject({ status: 403 })
  expect(await server.request('DELETE', `/v1/members/${second.userId}`, { token: admin.token })).toMatchObject({
    status: 403,
    body: { permission: 'org.manage' },
  })
  expect((await server.request('DELETE', `/v1/members/${second.userId}`, { token: owner.token })).status).toBe(204)
})

test('an unknown, foreign or malformed role id in a body is 422 at role_id', async () => {
  const stranger = await createWorkspace(server)
  const viewer = await createMember(server, owner.token, 'viewer')
  for (const role_id of [await roleId(stranger.token, 'viewer'), 'rol_01jqe5v0k8e9r9d3z2m6h7t4xw', 'nonsense']) {
    const expected = { status: 422, body: { issues: [{ path: 'role_id' }] } }
    expect(
      await server.request('PATCH', `/v1/members/${viewer.userId}`, { token: owner.token, body: { role_id } }),
    ).toMatchObject(expected)
    expect(
      await server.request('POST', '/v1/members/invitations', {
        token: owner.token,
        body: { email: 'new@example.com', role_id },
      }),
    ).toMatchObject(expected)
  }
})

test('the last owner can be neither demoted nor removed', async () => {
  const { token, userId } = await createWorkspace(server)
  const viewerRole = await roleId(token, 'viewer')
  expect(
    await server.request('PATCH', `/v1/members/${userId}`, { token, body: { role_id: viewerRole } }),
  ).toMatchObject({
    status: 409,
    body: { code: 'last_owner' },
  })
  expect(await server.request('DELETE', `/v1/members/${userId}`, { token })).toMatchObject({
    status: 409,
    body: { code: 'last_owner' },
  })
  expect((await server.request('GET', '/v1/me', { token })).status).toBe(200)
})

test('two owners who remove or demote each other at the same moment leave one', async () => {
  for (let round = 0; round < 5; round++) {
    const first = await createWorkspace(server)
    const second = await createMember(server, first.token, 'owner')
    const viewerRole = await roleId(first.token, 'viewer')
    const answers = await Promise.all([
      server.request('DELETE', `/v1/members/${second.userId}`, { token: first.token }),
      server.request('PATCH', `/v1/members/${first.userId}`, { token: second.token, body: { role_id: viewerRole } }),
    ])
    const succeeded = answers.filter((answer) => answer.status < 300)
    expect(succeeded.length, answers.map((answer) => answer.text).join()).toBe(1)
    const owners = await server.peek(
      `select 1 from memberships m join roles r on r.tenant_id = m.tenant_id and r.id = m.role_id
       where r.name = 'owner' and m.tenant_id = (select tenant_id from sessions where token_hash = any($1) limit 1)`,
      [[hashToken(first.token), hashToken(second.token)]],
    )
    expect(owners).toHaveLength(1)
  }
})

test('a removed member’s sessions end at once, and their lines leave the directory', async () => {
  const member = await createMember(server, owner.token, 'manager')
  expect((await server.request('DELETE', `/v1/members/${member.userId}`, { token: owner.token })).status).toBe(204)
  expect((await server.request('GET', '/v1/me', { token: member.token })).status).toBe(401)
  expect(await server.peek('select 1 from directory where key = $1', [hashToken(member.token)])).toEqual([])
  expect((await server.request('DELETE', `/v1/members/${member.userId}`, { token: owner.token })).status).toBe(404)
})

test('members of another tenant are neither listed nor reached', async () => {
  const stranger = await createWorkspace(server)
  expect((await server.request('GET', '/v1/members?limit=100', { token: owner.token })).text).not.toContain(
    stranger.userId,
  )
  const body = { role_id: await roleId(owner.token, 'viewer') }
  for (const id of [stranger.userId, 'usr_01jqe5v0k8e9r9d3z2m6h7t4xw', 'nonsense']) {
    expect((await server.request('PATCH', `/v1/members/${id}`, { token: owner.token, body })).status).toBe(404)
    expect((await server.request('DELETE', `/v1/members/${id}`, { token: owner.token })).status).toBe(404)
  }
})

test('a page of members goes on where the one before ended, while people join', async () => {
  const { token } = await createWorkspace(server)
  for (let i = 0; i < 3; i++) await createMember(server, token, 'viewer')
  const first = (await server.request('GET', '/v1/members?limit=2', { token })).body
  await createMember(server, token, 'viewer')
  const second = (await server.request('GET', `/v1/members?limit=2&cursor=${first.next_cursor}`, { token })).body
  const ids = [...first.data, ...second.data].map((row: { id: string }) => row.id)
  expect(new Set(ids).size).toBe(4)
  expect(second.next_cursor).toBeNull()
})

test('an API key invites as the members do, and a repeated request sends one mail', async () => {
  const { key } = await createApiKey(server, owner.token, ['members.manage'])
  const body = { email: 'by-key@example.com', role_id: await roleId(owner.token, 'viewer') }
  const headers = { 'idempotency-key': 'invite-by-key' }
  expect((await server.request('POST', '/v1/members/invitations', { token: key, body, headers })).status).toBe(201)
  expect(
    (await server.request('POST', '/v1/members/invitations', { token: key, body, headers })).headers.get(
      'idempotency-replayed',
    ),
  ).toBe('true')
  await runSweep(server, sendMailSweep)
  expect(mail.sent.filter((message) => message.to === 'by-key@example.com')).toHaveLength(1)
})

test('mail to the holders of a permission reaches exactly them, at their addresses', async () => {
  const workspace = await createWorkspace(server)
  const manager = await createMember(server, workspace.token, 'admin')
  await createMember(server, workspace.token, 'viewer')
  await runSweep(server, sendMailSweep)
  mail.sent.length = 0
  const tenantId = parseId('workspace', workspace.workspaceId)
  if (!tenantId) throw new Error('not a workspace')
  await server.services.run((system) => {
    const scope = system.tenant(tenantId, { type: 'system' })
    return scope.tx((tx) =>
      stageEmailToHolders(scope, tx, 'integrations.manage', { kind: 'test', subject: 'Hello', text: 'All of you.' }),
    )
  })
  await runSweep(server, sendMailSweep)
  expect(mail.sent.map((message) => message.to).sort()).toEqual([workspace.email, manager.email].sort())
})
