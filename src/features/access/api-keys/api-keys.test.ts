import { afterAll, beforeAll, expect, test } from 'vitest'
import { hashToken } from '../../../platform/config/secrets.ts'
import { createApiKey, createMember, createWorkspace, type TestWorkspace } from '../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../testing/harness.ts'

let server: TestServer
let owner: TestWorkspace
beforeAll(async () => {
  server = await startTestServer()
  owner = await createWorkspace(server)
})
afterAll(() => server.close())

const me = (token: string) => server.request('GET', '/v1/me', { token })
const create = (token: string, body: object, headers = {}) =>
  server.request('POST', '/v1/api-keys', { token, body, headers })

test('a key does exactly what it was given', async () => {
  const { key, id } = await createApiKey(server, owner.token, ['org.manage', 'surveys.manage'])
  expect((await me(key)).body).toMatchObject({
    principal: { type: 'api_key', id },
    permissions: ['surveys.manage', 'org.manage'],
    user: null,
  })
  expect((await server.request('PATCH', '/v1/org', { token: key, body: { name: 'Acme' } })).status).toBe(200)
  expect(await server.request('GET', '/v1/api-keys', { token: key })).toMatchObject({
    status: 403,
    body: { code: 'forbidden', permission: 'api_keys.manage' },
  })
})

test('a key is shown once: lists hold its prefix and last four, the database its SHA-256', async () => {
  const { key, id } = await createApiKey(server, owner.token, [])
  expect(key).toMatch(/^ear_live_[0-9A-Za-z]{36}$/)
  for (const path of ['/v1/api-keys?limit=100', `/v1/api-keys/${id}`]) {
    const answer = await server.request('GET', path, { token: owner.token })
    expect(answer.text).not.toContain(key)
    const shown = answer.body.data?.find((row: { id: string }) => row.id === id) ?? answer.body
    expect(shown).toMatchObject({
      prefix: 'ear_live_',
      last_four: key.slice(-4),
      created_by: { type: 'user', id: owner.userId },
    })
    expect(shown).not.toHaveProperty('key')
  }
  const rows = await server.peek<{ row: string }>(
    `select k::text as row from api_keys k union all select d::text from directory d`,
  )
  expect(rows.some(({ row }) => row.includes(key))).toBe(false)
  expect(rows.filter(({ row }) => row.includes(hashToken(key)))).toHaveLength(2)
})

test('a key with a wrong checksum is refused without a look-up', async () => {
  const { key } = await createApiKey(server, owner.token, [])
  server.statements.length = 0
  const wrong = key.slice(0, -1) + (key.endsWith('0') ? '1' : '0')
  expect((await me(wrong)).status).toBe(401)
  expect(server.statements).toEqual([])
})

test('nobody makes, widens or rotates a key that holds what they lack', async () => {
  const admin = await createMember(server, owner.token, 'admin')
  expect(await create(admin.token, { name: 'k', permissions: ['surveys.manage', 'org.manage'] })).toMatchObject({
    status: 403,
    body: { permission: 'org.manage' },
  })
  const mighty = await createApiKey(server, owner.token, ['org.manage'])
  expect(await server.request('POST', `/v1/api-keys/${mighty.id}/rotate`, { token: admin.token })).toMatchObject({
    status: 403,
    body: { permission: 'org.manage' },
  })
  expect(
    await server.request('PATCH', `/v1/api-keys/${mighty.id}`, { token: admin.token, body: { name: 'mine' } }),
  ).toMatchObject({ status: 403 })
  const plain = await createApiKey(server, admin.token, ['surveys.manage'])
  expect(
    await server.request('PATCH', `/v1/api-keys/${plain.id}`, {
      token: admin.token,
      body: { permissions: ['org.manage'] },
    }),
  ).toMatchObject({
    status: 403,
  })
  const maker = await createApiKey(server, owner.token, ['api_keys.manage'])
  expect(await create(maker.key, { name: 'k', permissions: ['surveys.manage'] })).toMatchObject({
    status: 403,
    body: { permission: 'surveys.manage' },
  })
  expect(await create(maker.key, { name: 'k', permissions: ['api_keys.manage'] })).toMatchObject({
    status: 201,
    body: { created_by: { type: 'api_key', id: maker.id } },
  })
  expect((await me(mighty.key)).status).toBe(200)
})

test('a rotated key works at once, and its old text no longer', async () => {
  const { key, id } = await createApiKey(server, owner.token, ['surveys.manage'])
  const rotated = await server.request('POST', `/v1/api-keys/${id}/rotate`, { token: owner.token })
  expect(rotated).toMatchObject({ status: 200, body: { id, permissions: ['surveys.manage'] } })
  expect((await me(key)).status).toBe(401)
  expect((await me(rotated.body.key)).body.principal.id).toBe(id)
})

test('a revoked key and an expired key are refused', async () => {
  const revoked = await createApiKey(server, owner.token, [])
  expect((await server.request('DELETE', `/v1/api-keys/${revoked.id}`, { token: owner.token })).status).toBe(204)
  expect((await me(revoked.key)).status).toBe(401)
  expect((await server.request('GET', `/v1/api-keys/${revoked.id}`, { token: owner.token })).status).toBe(404)
  expect(await server.peek('select 1 from directory where key = $1', [hashToken(revoked.key)])).toEqual([])

  const expires_at = new Date(server.clock.now().getTime() + 60_000).toISOString()
  const expiring = await create(owner.token, { name: 'short', permissions: [], expires_at })
  expect(expiring.body.expires_at).toBe(expires_at)
  server.clock.advance(59_999)
  expect((await me(expiring.body.key)).status).toBe(200)
  server.clock.advance(1)
  expect((await me(expiring.body.key)).status).toBe(401)
})

test('an expiry in the past and an unknown permission are 422 where they stand', async () => {
  expect(
    await create(owner.token, { name: 'k', permissions: [], expires_at: server.clock.now().toISOString() }),
  ).toMatchObject({
    status: 422,
    body: { issues: [{ path: 'expires_at' }] },
  })
  expect(await create(owner.token, { name: 'k', permissions: ['surveys.manage', 'surveys.admire'] })).toMatchObject({
    status: 422,
    body: { issues: [{ path: 'permissions.1' }] },
  })
  expect(await create(owner.token, { name: '', permissions: [] })).toMatchObject({
    status: 400,
    body: { issues: [{ path: 'name' }] },
  })
})

test('the last use of a key is kept to the minute', async () => {
  const { key, id } = await createApiKey(server, owner.token, [])
  const lastUsed = async () =>
    (await server.request('GET', `/v1/api-keys/${id}`, { token: owner.token })).body.last_used_at
  expect(await lastUsed()).toBeNull()
  await me(key)
  const first = server.clock.now().toISOString()
  expect(await lastUsed()).toBe(first)
  server.clock.advance(59_000)
  await me(key)
  expect(await lastUsed()).toBe(first)
  server.clock.advance(1_000)
  await me(key)
  expect(await lastUsed()).toBe(server.clock.now().toISOString())
})

test('a repeated request under one Idempotency-Key makes one key and replays it masked', async () => {
  const headers = { 'idempotency-key': 'make-one-key' }
  const body = { name: 'once', permissions: [] }
  const first = await create(owner.token, body, headers)
  const again = await create(owner.token, body, headers)
  expect(again.status).toBe(201)
  expect(again.headers.get('idempotency-replayed')).toBe('true')
  expect(again.body).toEqual({ ...first.body, key: `${first.body.key.slice(0, 13)}************` })
  const stored = await server.peek<{ body: string }>('select body from idempotency_keys')
  expect(stored.some((row) => row.body.includes(first.body.key))).toBe(false)
  const named = (await server.request('GET', '/v1/api-keys?limit=100', { token: owner.token })).body.data.filter(
    (row: { name: string }) => row.name === 'once',
  )
  expect(named).toHaveLength(1)
})

test('another tenant’s, an unknown and a malformed key id answer the same 404', async () => {
  const stranger = await createWorkspace(server)
  const foreign = await createApiKey(server, stranger.token, [])
  const bodies = new Set<string>()
  for (const id of [foreign.id, 'key_01jqe5v0k8e9r9d3z2m6h7t4xw', 'nonsense']) {
    for (const [method, path, body] of [
      ['GET', ''],
      ['PATCH', '', { name: 'x' }],
      ['DELETE', ''],
      ['POST', '/rotate'],
    ] as const) {
      const answer = await server.request(method, `/v1/api-keys/${id}${path}`, { token: owner.token, body })
      expect(answer.status, `${method} ${id}`).toBe(404)
      bodies.add(answer.text.replace(answer.body.request_id, ''))
    }
  }
  expect(bodies.size).toBe(1)
  expect((await me(foreign.key)).status).toBe(200)
})

test('the 601st call of a key within a minute is 429, and another key still has its 600', async () => {
  const { key } = await createApiKey(server, owner.token, [])
  const other = await createApiKey(server, owner.token, [])
  const first = await me(key)
  expect(first.headers.get('ratelimit-limit')).toBe('600')
  expect(first.headers.get('ratelimit-remaining')).toBe('599')
  expect(Number(first.headers.get('ratelimit-reset'))).toBeGreaterThan(0)
  for (let sent = 1; sent < 600; sent += 10) {
    const batch = await Promise.all(
      Array.from({ length: Math.min(10, 600 - sent) }, () => server.request('GET', '/v1/permissions', { token: key })),
    )
    expect(new Set(batch.map((answer) => answer.status))).toEqual(new Set([200]))
  }
  const refused = await me(key)
  expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
  expect(refused.headers.get('ratelimit-remaining')).toBe('0')
  expect(Number(refused.headers.get('retry-after'))).toBe(refused.body.retry_after)
  expect(refused.body.retry_after).toBeGreaterThan(0)
  expect((await me(other.key)).headers.get('ratelimit-remaining')).toBe('599')
  // A session is counted by itself.
  expect(Number((await me(owner.token)).headers.get('ratelimit-remaining'))).toBeGreaterThan(500)
}, 60_000)
