import { hash } from '@node-rs/argon2'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { hashToken } from '../../../platform/config/secrets.ts'
import { newId, parseId, type Id } from '../../../platform/ids.ts'
import type { Scope } from '../../../platform/scope.ts'
import {
  createApiKey,
  createInvitation,
  createMember,
  createWorkspace,
  runSweep,
  type TestWorkspace,
  signUp,
} from '../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../testing/harness.ts'
import { freshRecipe, hashPassword } from '../users/passwords.service.ts'
import { authenticateUser, enrolUser, setPassword } from '../users/users.service.ts'
import { listWorkspacesOf } from '../workspaces/workspaces.service.ts'
import { endSessions } from './ending.service.ts'
import { endedSessionsSweep } from './sessions.feature.ts'

vi.mock('@node-rs/argon2', async (original) => {
  const real = await original<typeof import('@node-rs/argon2')>()
  return { ...real, hash: vi.fn(real.hash) }
})

vi.mock('../workspaces/workspaces.service.ts', async (original) => {
  const real = await original<typeof import('../workspaces/workspaces.service.ts')>()
  return { ...real, listWorkspacesOf: vi.fn(real.listWorkspacesOf) }
})

vi.mock('../users/users.service.ts', async (original) => {
  const real = await original<typeof import('../users/users.service.ts')>()
  return { ...real, authenticateUser: vi.fn(real.authenticateUser), enrolUser: vi.fn(real.enrolUser) }
})

const HOUR_MS = 3_600_000
const ANOTHER_HASH = '$argon2id$v=19$m=19456,t=2,p=1$vEMDdWib4nub7jokyZ9l4g$PJmlnZvXWc+kMu/iqr+E3dDkWC2aiw5S5QiuiHbML8s'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
beforeEach(() => void vi.mocked(hash).mockClear())
afterAll(() => server.close())

const signIn = (email: string, password: string) =>
  server.request('POST', '/public/sessions', { body: { email, password } })
const me = (token: string) => server.request('GET', '/v1/me', { token })
const switchTo = (workspace: TestWorkspace, token: string) =>
  server.request('POST', '/v1/session/workspace', { token, body: { workspace_id: workspace.workspaceId } })
const sessionsOf = ({ userId }: TestWorkspace) =>
  server.peek('select 1 from sessions where user_id = $1', [parseId('user', userId)])
const directoryOf = (token: string) =>
  server.peek('select 1 from directory where kind = $1 and key = $2', ['session', hashToken(token)])

test('signing in answers a token, the person, and every workspace they may enter', async () => {
  const { email, password, userId, workspaceId } = await createWorkspace(server)
  const second = await createWorkspace(server, { workspace_name: 'Second', email, password })
  const signedIn = await signIn(email.toUpperCase(), password)
  expect(signedIn.status).toBe(201)
  expect(signedIn.body).toMatchObject({
    user: { id: userId, email, name: 'Ada Lovelace' },
    workspace: { id: second.workspaceId, name: 'Second' },
    workspaces: [
      { id: workspaceId, name: 'Acme' },
      { id: second.workspaceId, name: 'Second' },
    ],
    expires_at: new Date(server.clock.now().getTime() + 30 * 24 * HOUR_MS).toISOString(),
  })
  expect(signedIn.body.token).toMatch(/^ear_session_[0-9A-Za-z]{36}$/)
  expect((await me(signedIn.body.token)).body.workspace.id).toBe(second.workspaceId)
})

test('an unknown address and a wrong password get the same bytes and cost exactly one hash each', async () => {
  const { email } = await createWorkspace(server)
  const bytes: string[] = []
  for (const address of [email, 'nobody@example.com']) {
    vi.mocked(hash).mockClear()
    const answer = await signIn(address, 'not the password')
    expect(answer.status).toBe(401)
    expect(hash).toHaveBeenCalledTimes(1)
    bytes.push(answer.text.replace(answer.body.request_id, ''))
  }
  expect(bytes[0]).toBe(bytes[1])
})

test('a sign-up costs exactly one hash, for an address with an account and for one without', async () => {
  const { email } = await createWorkspace(server)
  for (const address of [email, 'a-free-one@example.com']) {
    vi.mocked(hash).mockClear()
    const body = { workspace_name: 'W', name: 'Ada', email: address, password: 'another password' }
    expect((await server.request('POST', '/public/workspaces', { body })).status).toBe(201)
    expect(hash).toHaveBeenCalledTimes(1)
  }
})

test('the hash for an unknown address has the parameters of a real one, at least 19 MiB, 2 passes, 1 lane', async () => {
  const { userId } = await signUp(server)
  const parameters = (encoded: string) => encoded.split('$').slice(1, 4)
  const [row] = await server.peek<{ password_hash: string }>('select password_hash from users where id = $1', [
    parseId('user', userId),
  ])
  const unknown = await hashPassword(
    { tenantId: newId('workspace') } as Scope,
    'any password',
    freshRecipe(Buffer.alloc(32, 1)),
  )
  expect(parameters(unknown)).toEqual(parameters(row?.password_hash ?? ''))
  expect(parameters(unknown)).toEqual(['argon2id', 'v=19', 'm=19456,t=2,p=1'])
})

test('a session ends 12 hours after its last use', async () => {
  const { token } = await createWorkspace(server)
  server.clock.advance(11 * HOUR_MS)
  expect((await me(token)).status).toBe(200)
  server.clock.advance(12 * HOUR_MS - 1)
  expect((await me(token)).status).toBe(200)
  server.clock.advance(12 * HOUR_MS)
  expect((await me(token)).status).toBe(401)
})

test('a session in constant use ends after 30 days', async () => {
  const { token } = await createWorkspace(server)
  for (let hours = 0; hours < 710; hours += 10) {
    server.clock.advance(10 * HOUR_MS)
    expect((await me(token)).status).toBe(200)
  }
  server.clock.advance(10 * HOUR_MS - 1)
  expect((await me(token)).status).toBe(200)
  server.clock.advance(1)
  expect((await me(token)).status).toBe(401)
})

test('the last use of a session is written at most once a minute', async () => {
  const { token } = await createWorkspace(server)
  const touches = async (advanceMs: number) => {
    server.clock.advance(advanceMs)
    server.statements.length = 0
    await me(token)
    return server.statements.filter(({ text }) => /update sessions/.test(text)).length
  }
  expect([await touches(59_000), await touches(1_000), await touches(59_999), await touches(1)]).toEqual([0, 1, 0, 1])
})

test('a request is authenticated by one look-up in the directory and one in its tenant', async () => {
  const { token } = await createWorkspace(server)
  const { key } = await createApiKey(server, token, [])
  await me(key)
  for (const bearer of [token, key]) {
    server.statements.length = 0
    await server.request('GET', '/v1/permissions', { token: bearer })
    expect(server.statements.map(({ reach }) => reach.role)).toEqual(['system', 'tenant'])
  }
})

test('signing out ends this session only and takes it out of the directory', async () => {
  const { token, email, password } = await createWorkspace(server)
  const other = (await signIn(email, password)).body.token
  expect(await directoryOf(token)).toHaveLength(1)
  const answer = await server.request('DELETE', '/v1/session', { token })
  expect(answer).toMatchObject({ status: 204, text: '' })
  expect((await me(token)).status).toBe(401)
  expect(await directoryOf(token)).toHaveLength(0)
  expect((await me(other)).status).toBe(200)
})

test('sessions that have ended are removed with their lines in the directory, and no others', async () => {
  const { token } = await createWorkspace(server)
  server.clock.advance(13 * HOUR_MS)
  const { token: fresh } = await createWorkspace(server)
  expect(await runSweep(server, endedSessionsSweep)).toBeGreaterThan(0)
  expect(await directoryOf(token)).toHaveLength(0)
  expect(await directoryOf(fresh)).toHaveLength(1)
  expect((await me(fresh)).status).toBe(200)
})

test('switching moves to another of the caller’s workspaces without outliving the first sign-in', async () => {
  const first = await createWorkspace(server)
  const second = await createWorkspace(server, { email: first.email, password: first.password })
  const signedIn = (await signIn(first.email, first.password)).body
  server.clock.advance(HOUR_MS)
  const switched = await server.request('POST', '/v1/session/workspace', {
    token: signedIn.token,
    body: { workspace_id: second.workspaceId },
  })
  expect(switched).toMatchObject({
    status: 201,
    body: { workspace: { id: second.workspaceId }, expires_at: signedIn.expires_at },
  })
  expect((await me(switched.body.token)).body.workspace.id).toBe(second.workspaceId)
  expect((await me(signedIn.token)).status).toBe(401)
})

test('a session cannot hop out of the way of a new password that is ending the sessions of one workspace after another', async () => {
  const first = await createWorkspace(server)
  const second = await createWorkspace(server, { email: first.email, password: first.password })
  await changePassword(first, { andEndSessions: false })
  expect((await switchTo(first, second.token)).status).toBe(401)
  expect(await sessionsOf(first)).toHaveLength(2)
  await server.services.run((system) => endSessions(system, userOf(first)))
  expect(await sessionsOf(first)).toEqual([])
})

test('a password that changes while a session moves ends the moved one too', async () => {
  const first = await createWorkspace(server)
  const second = await createWorkspace(server, { email: first.email, password: first.password })
  const list = vi.mocked(listWorkspacesOf).getMockImplementation() as typeof listWorkspacesOf
  vi.mocked(listWorkspacesOf)
    .mockImplementationOnce(list)
    .mockImplementationOnce(async (system, userId) => {
      await changePassword(first, { andEndSessions: true })
      return list(system, userId)
    })
  expect((await switchTo(first, second.token)).status).toBe(401)
  expect(await sessionsOf(first)).toEqual([])
})

test('a password that changes while it is verified opens no session, neither by signing in nor by signing up nor by an invitation', async () => {
  const person = await createWorkspace(server)
  const { token } = await createInvitation(server, (await createWorkspace(server)).token, 'viewer', person.email)
  const { email, password } = person
  const attempts = [
    () => signIn(email, password),
    () =>
      server.request('POST', '/public/workspaces', {
        body: { workspace_name: 'Another', name: 'Ada', email, password },
      }),
    () => server.request('POST', `/public/invitations/${token}/accept`, { body: { password } }),
  ]
  const [{ password_hash: right = '' } = {}] = await server.peek<{ password_hash: string }>(
    'select password_hash from users where id = $1',
    [userOf(person)],
  )
  const authenticate = vi.mocked(authenticateUser).getMockImplementation() as typeof authenticateUser
  const enrol = vi.mocked(enrolUser).getMockImplementation() as typeof enrolUser
  for (const attempt of attempts) {
    await server.services.run((system) =>
      system.tx((tx) => setPassword(tx, { id: userOf(person), email: person.email }, right)),
    )
    await server.services.run((system) => endSessions(system, userOf(person)))
    const thenChange = async <T>(found: Promise<T>): Promise<T> => {
      const user = await found
      await changePassword(person, { andEndSessions: true })
      return user
    }
    vi.mocked(authenticateUser).mockImplementation((...given) => thenChange(authenticate(...given)))
    vi.mocked(enrolUser).mockImplementation((...given) => thenChange(enrol(...given)))
    expect(await attempt()).toMatchObject({ status: 401, body: { code: 'invalid_credentials' } })
    expect(await sessionsOf(person)).toEqual([])
  }
  vi.mocked(authenticateUser).mockImplementation(authenticate)
  vi.mocked(enrolUser).mockImplementation(enrol)
})

test('of two switches with one token one moves, and the other is 401', async () => {
  const first = await createWorkspace(server)
  const second = await createWorkspace(server, { email: first.email, password: first.password })
  const list = vi.mocked(listWorkspacesOf).getMockImplementation() as typeof listWorkspacesOf
  const both = Promise.withResolvers<void>()
  let arrived = 0
  const meet: typeof listWorkspacesOf = async (system, userId) => {
    arrived += 1
    if (arrived === 2) both.resolve()
    await both.promise
    return list(system, userId)
  }
  vi.mocked(listWorkspacesOf).mockImplementationOnce(meet).mockImplementationOnce(meet)
  const answers = await Promise.all([switchTo(first, second.token), switchTo(first, second.token)])
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 401])
  expect(await sessionsOf(first)).toHaveLength(2)
})

test('switching to a foreign, unknown or malformed workspace is 422 at workspace_id and ends nothing', async () => {
  const { token } = await createWorkspace(server)
  const foreign = await createWorkspace(server)
  for (const workspace_id of [foreign.workspaceId, 'ws_01jqe5v0k8e9r9d3z2m6h7t4xw', 'nonsense']) {
    const answer = await server.request('POST', '/v1/session/workspace', { token, body: { workspace_id } })
    expect(answer).toMatchObject({ status: 422, body: { issues: [{ path: 'workspace_id' }] } })
  }
  expect((await me(token)).status).toBe(200)
})

test('an API key has no session to switch or to end', async () => {
  const { token, workspaceId } = await createWorkspace(server)
  const { key } = await createApiKey(server, token, [])
  expect(
    await server.request('POST', '/v1/session/workspace', { token: key, body: { workspace_id: workspaceId } }),
  ).toMatchObject({
    status: 403,
    body: { code: 'session_required' },
  })
  expect(await server.request('DELETE', '/v1/session', { token: key })).toMatchObject({
    status: 403,
    body: { code: 'session_required' },
  })
})

test('somebody who was removed from their only workspace is told so, but only with the right password', async () => {
  const { token } = await createWorkspace(server)
  const member = await createMember(server, token, 'viewer')
  expect((await server.request('DELETE', `/v1/members/${member.userId}`, { token })).status).toBe(204)
  expect(await signIn(member.email, member.password)).toMatchObject({ status: 403, body: { code: 'no_workspace' } })
  expect((await signIn(member.email, 'not the password')).status).toBe(401)
})

test('no token is stored or logged in the clear', async () => {
  const { token } = await createWorkspace(server)
  const rows = await server.peek<{ row: string }>(
    'select s::text as row from sessions s union all select d::text from directory d',
  )
  expect(rows.length).toBeGreaterThan(0)
  expect(rows.some(({ row }) => row.includes(token))).toBe(false)
})

const userOf = ({ userId }: TestWorkspace) => parseId('user', userId) as Id<'user'>

async function changePassword(person: TestWorkspace, { andEndSessions }: { andEndSessions: boolean }): Promise<void> {
  await server.services.run(async (system) => {
    await system.tx((tx) => setPassword(tx, { id: userOf(person), email: person.email }, ANOTHER_HASH))
    if (andEndSessions) await endSessions(system, userOf(person))
  })
}
