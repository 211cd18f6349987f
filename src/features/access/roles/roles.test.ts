import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PERMISSIONS } from '../../../platform/permissions.ts'
import { createApiKey, createMember, createWorkspace, type TestWorkspace } from '../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../testing/harness.ts'
import { BUILT_IN_ROLES } from './built-in-roles.ts'

let server: TestServer
let owner: TestWorkspace
beforeAll(async () => {
  server = await startTestServer()
  owner = await createWorkspace(server)
})
afterAll(() => server.close())

const create = (token: string, name: string, permissions: string[]) =>
  server.request('POST', '/v1/roles', { token, body: { name, permissions } })

test('a workspace starts with six built-in roles, which can be neither changed nor deleted', async () => {
  const { body } = await server.request('GET', '/v1/roles', { token: owner.token })
  const builtIn = body.data.filter((role: { built_in: boolean }) => role.built_in)
  expect(builtIn.map((role: { name: string }) => role.name).sort()).toEqual([
    'admin',
    'agent',
    'analyst',
    'manager',
    'owner',
    'viewer',
  ])
  for (const role of builtIn) {
    expect(role.permissions).toEqual([...BUILT_IN_ROLES[role.name as keyof typeof BUILT_IN_ROLES]])
    expect(
      await server.request('PATCH', `/v1/roles/${role.id}`, { token: owner.token, body: { name: 'mine' } }),
    ).toMatchObject({
      status: 409,
      body: { code: 'built_in_role' },
    })
    expect(await server.request('DELETE', `/v1/roles/${role.id}`, { token: owner.token })).toMatchObject({
      status: 409,
      body: { code: 'built_in_role' },
    })
  }
})

// One mutation for each permission that this feature set guards, and what it answers to those who hold it.
const GUARDED = [
  ['api_keys.manage', 'GET', '/v1/api-keys', undefined, 200],
  ['api_keys.manage', 'POST', '/v1/api-keys', { name: 'k', permissions: [] }, 201],
  ['roles.manage', 'POST', '/v1/roles', { name: 'unique', permissions: [] }, 201],
  ['members.manage', 'POST', '/v1/members/invitations', { email: 'x@example.com', role_id: 'viewer' }, 201],
  ['org.manage', 'PATCH', '/v1/org', { name: 'Acme' }, 200],
] as const
const OPEN = [
  '/v1/me',
  '/v1/roles',
  '/v1/permissions',
  '/v1/members',
  '/v1/members/invitations',
  '/v1/org',
  '/v1/system',
]

describe.each(Object.keys(BUILT_IN_ROLES) as Array<keyof typeof BUILT_IN_ROLES>)(
  'a member with the role %s',
  (role) => {
    test('reads what every member may read, and changes exactly what the role permits', async () => {
      const member = role === 'owner' ? owner : await createMember(server, owner.token, role)
      const me = await server.request('GET', '/v1/me', { token: member.token })
      expect(me.body.permissions).toEqual([...BUILT_IN_ROLES[role]])
      for (const path of OPEN)
        expect((await server.request('GET', path, { token: member.token })).status, path).toBe(200)
      const viewer = (await server.request('GET', '/v1/roles', { token: owner.token })).body.data.find(
        (row: { name: string }) => row.name === 'viewer',
      )
      for (const [permission, method, path, given, status] of GUARDED) {
        const body = given && {
          ...given,
          ...('role_id' in given && { role_id: viewer.id }),
          ...('name' in given && given.name === 'unique' && { name: `for ${role}` }),
        }
        const answer = await server.request(method, path, { token: member.token, body })
        const held = me.body.permissions.includes(permission)
        expect(answer.status, `${method} ${path}`).toBe(held ? status : 403)
        if (!held) expect(answer.body).toMatchObject({ code: 'forbidden', permission })
      }
    })
  },
)

test('a change of a role holds for its members and their keys from the next request on', async () => {
  const role = (await create(owner.token, 'Integrator', ['api_keys.manage', 'integrations.manage'])).body
  const member = await createMember(server, owner.token, role.id)
  const { key } = await createApiKey(server, member.token, ['integrations.manage'])
  await server.request('PATCH', `/v1/roles/${role.id}`, {
    token: owner.token,
    body: { permissions: ['exports.manage'] },
  })
  expect((await server.request('GET', '/v1/me', { token: member.token })).body.permissions).toEqual(['exports.manage'])
  expect((await server.request('GET', '/v1/me', { token: key })).body.permissions).toEqual([])
})

test('nobody creates, widens, changes or deletes a role that holds what they lack', async () => {
  const admin = await createMember(server, owner.token, 'admin')
  expect(await create(admin.token, 'Climber', ['org.manage'])).toMatchObject({
    status: 403,
    body: { permission: 'org.manage' },
  })
  const mine = (await create(admin.token, 'Narrow', ['surveys.manage'])).body
  expect(
    await server.request('PATCH', `/v1/roles/${mine.id}`, {
      token: admin.token,
      body: { permissions: ['surveys.manage', 'org.manage'] },
    }),
  ).toMatchObject({
    status: 403,
  })
  const mighty = (await create(owner.token, 'Mighty', ['org.manage'])).body
  expect(
    await server.request('PATCH', `/v1/roles/${mighty.id}`, { token: admin.token, body: { permissions: [] } }),
  ).toMatchObject({
    status: 403,
    body: { permission: 'org.manage' },
  })
  expect(await server.request('DELETE', `/v1/roles/${mighty.id}`, { token: admin.token })).toMatchObject({
    status: 403,
  })
})

test('a role that a member or an open invitation has cannot be deleted; an unused one can', async () => {
  const role = (await create(owner.token, 'In use', [])).body
  const invited = await server.request('POST', '/v1/members/invitations', {
    token: owner.token,
    body: { email: 'waiting@example.com', role_id: role.id },
  })
  const remove = () => server.request('DELETE', `/v1/roles/${role.id}`, { token: owner.token })
  expect(await remove()).toMatchObject({ status: 409, body: { code: 'role_in_use' } })
  await server.request('DELETE', `/v1/members/invitations/${invited.body.id}`, { token: owner.token })
  const member = await createMember(server, owner.token, role.id)
  expect(await remove()).toMatchObject({ status: 409, body: { code: 'role_in_use' } })
  await server.request('DELETE', `/v1/members/${member.userId}`, { token: owner.token })
  expect((await remove()).status).toBe(204)
  expect((await remove()).status).toBe(404)
})

test('names of roles are unique in a workspace, whatever their case, and free in another', async () => {
  const stranger = await createWorkspace(server)
  const first = (await create(owner.token, 'Auditor', [])).body
  expect(await create(owner.token, 'auditor', [])).toMatchObject({ status: 409, body: { code: 'role_name_taken' } })
  const other = (await create(owner.token, 'Reviewer', [])).body
  expect(
    await server.request('PATCH', `/v1/roles/${other.id}`, { token: owner.token, body: { name: 'AUDITOR' } }),
  ).toMatchObject({
    status: 409,
    body: { code: 'role_name_taken' },
  })
  expect(
    (await server.request('PATCH', `/v1/roles/${first.id}`, { token: owner.token, body: { name: 'AUDITOR' } })).body
      .name,
  ).toBe('AUDITOR')
  expect((await create(stranger.token, 'Auditor', [])).status).toBe(201)
})

test('an unknown permission is 422 where it stands, and the catalogue lists the known ones', async () => {
  expect(await create(owner.token, 'Odd', ['surveys.manage', 'everything'])).toMatchObject({
    status: 422,
    body: { issues: [{ path: 'permissions.1' }] },
  })
  const { body } = await server.request('GET', '/v1/permissions?limit=100', { token: owner.token })
  expect(body.data.map((row: { name: string }) => row.name)).toEqual([...PERMISSIONS])
})

test.each(['/v1/permissions', '/v1/webhook-events'])('%s pages, and refuses what it does not know', async (path) => {
  const get = (query: string) => server.request('GET', `${path}?${query}`, { token: owner.token })
  const all = (await get('limit=100')).body
  expect(all.next_cursor).toBeNull()
  const seen: unknown[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const page = await get(`limit=5${cursor && `&cursor=${cursor}`}`)
    expect(page.body.data.length).toBeLessThanOrEqual(5)
    seen.push(...page.body.data)
    cursor = page.body.next_cursor
  }
  expect(seen).toEqual(all.data)
  for (const wrong of ['limit=0', 'limit=501', 'cursor=x', 'cursor=LTE', 'page=2', 'dry_run=true'])
    expect((await get(wrong)).status, wrong).toBe(400)
})

test('another tenant’s roles are neither listed, changed nor deleted', async () => {
  const stranger = await createWorkspace(server)
  const theirs = (await create(stranger.token, 'Theirs', [])).body
  expect((await server.request('GET', '/v1/roles?limit=100', { token: owner.token })).text).not.toContain(theirs.id)
  expect(
    (await server.request('PATCH', `/v1/roles/${theirs.id}`, { token: owner.token, body: { name: 'Ours' } })).status,
  ).toBe(404)
  expect((await server.request('DELETE', `/v1/roles/${theirs.id}`, { token: owner.token })).status).toBe(404)
  expect((await server.request('GET', '/v1/roles', { token: stranger.token })).text).toContain('Theirs')
})
