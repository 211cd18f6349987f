import { afterAll, beforeAll, expect, test } from 'vitest'
import { formatId, newId } from '../../../platform/ids.ts'
import {
  createApiKey,
  createInvitation,
  createMember,
  createWorkspace,
  type TestWorkspace,
} from '../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../testing/harness.ts'

let server: TestServer
let owner: TestWorkspace
beforeAll(async () => {
  server = await startTestServer()
  owner = await createWorkspace(server)
})
afterAll(() => server.close())

const me = (token: string) => server.request('GET', '/v1/me', { token })
const adopt = (token: string, id: string) => server.request('POST', `/v1/api-keys/${id}/adopt`, { token })
const remove = (userId: string) => server.request('DELETE', `/v1/members/${userId}`, { token: owner.token })
const shown = async (id: string) => (await server.request('GET', `/v1/api-keys/${id}`, { token: owner.token })).body

async function roleId(name: string): Promise<string> {
  const roles = await server.request('GET', '/v1/roles?limit=100', { token: owner.token })
  return roles.body.data.find((role: { name: string }) => role.name === name).id
}

test('a key acts with what it was given and its maker still holds, from the moment that the maker loses something', async () => {
  const admin = await createMember(server, owner.token, 'admin')
  const { key, id } = await createApiKey(server, admin.token, ['surveys.manage', 'members.manage'])
  expect((await me(key)).body.permissions).toEqual(['surveys.manage', 'members.manage'])

  const demote = { token: owner.token, body: { role_id: await roleId('manager') } }
  expect((await server.request('PATCH', `/v1/members/${admin.userId}`, demote)).status).toBe(200)
  expect((await me(key)).body.permissions).toEqual(['surveys.manage'])
  expect(
    await server.request('POST', '/v1/members/invitations', {
      token: key,
      body: { email: 'a@example.com', role_id: 'x' },
    }),
  ).toMatchObject({
    status: 403,
    body: { permission: 'members.manage' },
  })
  expect(await shown(id)).toMatchObject({
    maker: admin.userId,
    permissions: ['surveys.manage', 'members.manage'],
    effective_permissions: ['surveys.manage'],
  })

  const promote = { token: owner.token, body: { role_id: await roleId('admin') } }
  await server.request('PATCH', `/v1/members/${admin.userId}`, promote)
  expect((await me(key)).body.permissions).toEqual(['surveys.manage', 'members.manage'])
})

test('a key stops when its maker leaves, and works again once somebody adopts it', async () => {
  const admin = await createMember(server, owner.token, 'admin')
  const { key, id } = await createApiKey(server, admin.token, ['surveys.manage'])
  expect((await remove(admin.userId)).status).toBe(204)
  expect((await me(key)).status).toBe(401)
  expect(await shown(id)).toMatchObject({ maker: admin.userId, effective_permissions: [] })

  const adopted = await adopt(owner.token, id)
  expect(adopted).toMatchObject({
    status: 200,
    body: {
      id,
      maker: owner.userId,
      effective_permissions: ['surveys.manage'],
      created_by: { type: 'user', id: admin.userId },
    },
  })
  expect(adopted.body).not.toHaveProperty('key')
  expect((await me(key)).body.permissions).toEqual(['surveys.manage'])
})

test('an adopted key never gains what its adopter lacks', async () => {
  const { key, id } = await createApiKey(server, owner.token, ['surveys.manage', 'org.manage'])
  const admin = await createMember(server, owner.token, 'admin')
  expect((await adopt(admin.token, id)).body).toMatchObject({
    maker: admin.userId,
    effective_permissions: ['surveys.manage'],
  })
  expect((await me(key)).body.permissions).toEqual(['surveys.manage'])
})

test('a person answers for a key that a key made or adopted, and both stop when that person leaves', async () => {
  const admin = await createMember(server, owner.token, 'admin')
  const first = await createApiKey(server, admin.token, ['api_keys.manage', 'surveys.manage'])
  const second = await createApiKey(server, first.key, ['surveys.manage'])
  const leaver = await createMember(server, owner.token, 'admin')
  const third = await createApiKey(server, leaver.token, ['surveys.manage'])
  await remove(leaver.userId)
  expect((await adopt(first.key, third.id)).body.maker).toBe(admin.userId)
  expect(await shown(second.id)).toMatchObject({ maker: admin.userId, created_by: { type: 'api_key', id: first.id } })
  await remove(admin.userId)
  for (const { key } of [first, second, third]) expect((await me(key)).status).toBe(401)
})

test('a key revives no key that was given more than itself holds at this moment', async () => {
  const leaver = await createMember(server, owner.token, 'admin')
  const strong = await createApiKey(server, leaver.token, ['api_keys.manage', 'surveys.manage', 'members.manage'])
  await remove(leaver.userId)
  const weak = await createApiKey(server, owner.token, ['api_keys.manage'])
  expect(await adopt(weak.key, strong.id)).toMatchObject({
    status: 403,
    body: { code: 'forbidden', permission: 'surveys.manage' },
  })

  const admin = await createMember(server, owner.token, 'admin')
  const equal = await createApiKey(server, admin.token, ['api_keys.manage', 'surveys.manage', 'members.manage'])
  await server.request('PATCH', `/v1/members/${admin.userId}`, {
    token: owner.token,
    body: { role_id: await roleId('manager') },
  })
  expect((await adopt(equal.key, strong.id)).status).toBe(403)
  expect(await shown(strong.id)).toMatchObject({ maker: leaver.userId, effective_permissions: [] })
  expect((await me(strong.key)).status).toBe(401)

  await server.request('PATCH', `/v1/members/${admin.userId}`, {
    token: owner.token,
    body: { role_id: await roleId('admin') },
  })
  expect(await adopt(equal.key, strong.id)).toMatchObject({ status: 200, body: { maker: admin.userId } })
})

test('a person takes over the key of a colleague who is still there, and a key does not', async () => {
  const colleague = await createMember(server, owner.token, 'admin')
  const { id } = await createApiKey(server, colleague.token, ['surveys.manage'])
  const { key } = await createApiKey(server, owner.token, ['api_keys.manage', 'surveys.manage'])
  expect(await adopt(key, id)).toMatchObject({ status: 409, body: { code: 'maker_present' } })
  expect((await shown(id)).maker).toBe(colleague.userId)
  expect(await adopt(owner.token, id)).toMatchObject({ status: 200, body: { maker: owner.userId } })
})

test('a key hands on only what it may still do itself', async () => {
  const admin = await createMember(server, owner.token, 'admin')
  const { key } = await createApiKey(server, admin.token, ['api_keys.manage', 'members.manage'])
  const role = await server.request('POST', '/v1/roles', {
    token: owner.token,
    body: { name: 'Keys only', permissions: ['api_keys.manage'] },
  })
  await server.request('PATCH', `/v1/members/${admin.userId}`, { token: owner.token, body: { role_id: role.body.id } })
  expect(
    await server.request('POST', '/v1/api-keys', { token: key, body: { name: 'k', permissions: ['members.manage'] } }),
  ).toMatchObject({
    status: 403,
    body: { permission: 'members.manage' },
  })
})

test('only holders of api_keys.manage adopt, and only keys of their workspace', async () => {
  const { id } = await createApiKey(server, owner.token, [])
  const viewer = await createMember(server, owner.token, 'viewer')
  expect(await adopt(viewer.token, id)).toMatchObject({ status: 403, body: { permission: 'api_keys.manage' } })
  const stranger = await createWorkspace(server)
  expect((await adopt(stranger.token, id)).status).toBe(404)
  expect((await adopt(owner.token, formatId('apiKey', newId('apiKey')))).status).toBe(404)
  expect((await shown(id)).maker).toBe(owner.userId)
})

test('a key is authenticated in one statement that reaches each table by its full key', async () => {
  const { key } = await createApiKey(server, owner.token, [])
  await createInvitation(server, owner.token, 'viewer')
  await me(key)
  server.statements.length = 0
  await me(key)
  const statements = server.statements.filter(({ text }) => text.includes('api_keys'))
  expect(statements).toHaveLength(1)
  const plan = await server.services.database.asOwner(async (connection) => {
    await connection.script(
      'set plan_cache_mode = force_generic_plan; set enable_seqscan = off; set enable_bitmapscan = off',
    )
    await connection.script(`prepare find_key (uuid, text, timestamptz) as ${statements[0]?.text}`)
    const rows = await connection.query<{ 'QUERY PLAN': string }>(
      `explain execute find_key (gen_random_uuid(), '', now())`,
    )
    return rows.map((row) => row['QUERY PLAN']).filter((line) => line.includes('Index Cond'))
  })
  expect(plan).toHaveLength(4)
  for (const column of ['key_hash', 'user_id', 'id'])
    expect(plan).toContainEqual(expect.stringMatching(new RegExp(`^(?=.*\\(tenant_id = ).*\\(${column} = `)))
})
