import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { acrossTenants } from '../../../platform/work/across-tenants.ts'
import { sql } from '../../../platform/database/database.ts'
import { newId, parseId, type TenantId } from '../../../platform/ids.ts'
import { createApiKey, createWorkspace, runSweep, type TestWorkspace } from '../../../testing/fixtures.ts'
import { startTestServer, type TestAnswer, type TestServer } from '../../../testing/harness.ts'
import { makeId, makeLiveSurvey, submit } from '../../../testing/makers.ts'
import { inWorkspace, makeSend } from '../../../testing/send-fixture.ts'
import { oldResponsesSweep } from '../../answers/responses/responses.feature.ts'
import { disableAndTell } from '../../delivery/webhooks/engine/disabling.service.ts'
import { sealEntriesSweep } from './audit.feature.ts'
import { sealBatch } from './seal.service.ts'

const DAY_MS = 86_400_000

let server: TestServer
let workspace: TestWorkspace
beforeAll(async () => {
  server = await startTestServer({ env: { TRUSTED_PROXIES: '127.0.0.1/32' } })
})
afterAll(() => server.close())
beforeEach(async () => {
  server.clock.set(new Date('2026-03-02T10:00:00.000Z'))
  workspace = await createWorkspace(server)
})

const call = (method: string, path: string, body?: unknown, token = workspace.token) =>
  server.request(method, path, { token, body })
const list = async (query = '', token = workspace.token): Promise<TestAnswer['body'][]> => {
  const answer = await call('GET', `/v1/audit?limit=100${query}`, undefined, token)
  expect(answer, answer.text).toMatchObject({ status: 200 })
  return answer.body.data
}
const latest = async () => (await list())[0]
const verify = async (query = '') => (await call('GET', `/v1/audit/verify${query}`)).body
const seal = () => runSweep(server, sealEntriesSweep)

describe('an entry', () => {
  test('names who changed what, when and from where, with values only where they tell nothing of people', async () => {
    const id = await makeId(server, workspace, 'webhook')
    server.clock.advance(1_000)
    const answer = await server.request('PATCH', `/v1/webhooks/${id}`, {
      token: workspace.token,
      body: { enabled: false, description: 'Ada’s hook' },
      headers: { 'x-forwarded-for': '203.0.113.9' },
    })
    expect(await latest()).toEqual({
      seq: null,
      id: expect.stringMatching(/^aud_[0-9a-z]{26}$/),
      at: '2026-03-02T10:00:01.000Z',
      actor: { type: 'user', id: workspace.userId },
      action: 'webhook.update',
      target: { type: 'webhook', id },
      outcome: 'ok',
      ip: '203.0.113.9',
      request_id: answer.headers.get('x-request-id'),
      changes: [
        { path: 'description' },
        { path: 'enabled', from: true, to: false },
        { path: 'disabled_reason', from: null, to: 'manual' },
      ],
      previous_hash: null,
      hash: null,
    })
  })

  test('of a creation has no value from before', async () => {
    await call('POST', '/v1/roles', { name: 'Integrator', permissions: ['integrations.manage'] })
    expect(await latest()).toMatchObject({
      action: 'role.create',
      changes: [
        { path: 'name' },
        { path: 'permissions', to: ['integrations.manage'] },
        { path: 'built_in', to: false },
      ],
    })
  })

  test('of an invitation to the workspace names the role', async () => {
    const roleId = await makeId(server, workspace, 'role')
    await call('POST', '/v1/members/invitations', { email: 'grace@example.com', role_id: roleId })
    expect(await latest()).toMatchObject({
      action: 'member_invitation.create',
      changes: expect.arrayContaining([{ path: 'role.id', to: roleId }]),
    })
  })

  test('is missing where nothing changed', async () => {
    const id = await makeId(server, workspace, 'webhook')
    const before = await list()
    expect((await call('PATCH', `/v1/webhooks/${id}`, { enabled: true })).status).toBe(200)
    expect((await call('PATCH', '/v1/org', { timezone: 'UTC' })).status).toBe(200)
    expect(await list()).toEqual(before)
  })

  test('is missing where the change was rolled back', async () => {
    const before = await list()
    const tenantId = parseId('workspace', workspace.workspaceId) as TenantId
    const failing = server.services.run((system) =>
      system.tenant(tenantId, { type: 'system' }).tx(async (tx) => {
        await disableAndTell(
          system.tenant(tenantId, { type: 'system' }),
          tx,
          { id: newId('webhook'), url: 'https://example.com/' },
          'gone',
        )
        throw new Error('later')
      }),
    )
    await expect(failing).rejects.toThrow('later')
    expect(await list()).toEqual(before)
  })

  test('never holds a name, an address, a text or a secret', async () => {
    const planted = 'Grace-7f3a'
    const survey = await makeLiveSurvey(server, workspace)
    const { id } = await submit(server, survey, { answers: { q1: 9, q3: planted }, custom_data: { plan: planted } })
    await call('POST', `/v1/responses/${id}/notes`, { text: planted })
    await call('POST', `/v1/responses/${id}/tags`, { tags: [planted] })
    await call('PATCH', `/v1/responses/${id}`, { custom_data: { plan: `${planted}!` } })
    await call('PATCH', '/v1/org', { name: planted, timezone: 'Europe/Berlin' })
    await call('PATCH', '/v1/org', { branding: { logo_url: `https://10.0.0.1/${planted}` } })
    await call('PATCH', `/v1/surveys/${survey}`, { name: planted })
    await call('POST', `/v1/surveys/${survey}/invite`, {
      channel: 'email',
      recipients: [{ email: `${planted}@example.com`, name: planted }],
    })
    await call('POST', '/v1/suppression', { channel: 'email', address: `${planted}@example.com` })
    await call('POST', '/v1/webhooks', { url: `https://8.8.8.8/${planted}`, description: planted })
    await call('POST', '/v1/short-urls', { target: `https://example.com/${planted}`, slug: planted.toLowerCase() })
    await call('POST', '/v1/members/invitations', {
      email: `${planted}@example.com`,
      role_id: await makeId(server, workspace, 'role'),
    })
    await server.request('POST', '/public/sessions', { body: { email: workspace.email, password: planted } })
    const rows = await server.peek('select * from audit_entries')
    expect(rows.length).toBeGreaterThan(12)
    expect(JSON.stringify(rows).toLowerCase()).not.toContain('grace')
    expect(JSON.stringify(rows)).not.toMatch(/whsec_|ear_live_|ear_session_/)
  })
})

describe('signing in and out', () => {
  test('is recorded where it leads, and a wrong password as failed, of nobody, about the account', async () => {
    const { email, password, userId } = workspace
    const signIn = (text: string, as = email) =>
      server.request('POST', '/public/sessions', { body: { email: as, password: text } })
    expect((await signIn('a wrong password')).status).toBe(401)
    const { token } = (await signIn(password)).body
    expect((await call('DELETE', '/v1/session', undefined, token)).status).toBe(204)
    expect(await list('&action=user.*')).toMatchObject([
      { action: 'user.sign_out', outcome: 'ok', actor: { type: 'user', id: userId } },
      { action: 'user.sign_in', outcome: 'ok', actor: { type: 'user', id: userId }, target: { id: userId } },
      { action: 'user.sign_in', outcome: 'failed', actor: { type: 'anonymous', id: null }, target: { id: userId } },
    ])
  })

  test('with a wrong password runs the same statements for a known and an unknown address', async () => {
    const during = async (email: string) => {
      const from = server.statements.length
      await server.request('POST', '/public/sessions', { body: { email, password: 'a wrong password' } })
      return server.statements.slice(from).map(({ text }) => text)
    }
    const known = await during(workspace.email)
    expect(known.length).toBeGreaterThan(4)
    expect(await during('nobody-at-all@example.com')).toEqual(known)
  })

  test('into another workspace leaves an entry in each', async () => {
    const { email, password } = workspace
    const other = await createWorkspace(server, { email, password })
    const { key } = await createApiKey(server, workspace.token, ['audit.read'])
    await call('POST', '/v1/session/workspace', { workspace_id: other.workspaceId })
    expect(await list('&action=user.*', key)).toMatchObject([{ action: 'user.sign_out' }])
    expect(await list('&action=user.*', other.token)).toMatchObject([{ action: 'user.sign_in' }])
  })
})

describe('the effects of the system', () => {
  test('have the system as their actor: a disabled webhook, and what retention removed', async () => {
    const webhook = parseId('webhook', await makeId(server, workspace, 'webhook'))
    await inWorkspace(server, workspace, (scope) =>
      scope.tx((tx) => disableAndTell(scope, tx, { id: webhook!, url: 'https://8.8.8.8/hooks' }, 'gone')),
    )
    await call('PATCH', '/v1/org', { retention: { responses_days: 1 } })
    const survey = await makeLiveSurvey(server, workspace)
    for (let n = 0; n < 3; n++) await submit(server, survey, { answers: { q1: 9 } })
    const { key } = await createApiKey(server, workspace.token, ['audit.read'])
    // Ids follow the host's clock.
    server.clock.set(new Date(Date.now() + 5 * DAY_MS))
    await runSweep(server, oldResponsesSweep)
    expect((await list('', key)).filter(({ actor }) => actor.type === 'system')).toMatchObject([
      {
        action: 'response.expire',
        target: null,
        ip: null,
        request_id: null,
        changes: [{ path: 'removed', to: 3 }, { path: 'before' }],
      },
      { action: 'webhook.disable', changes: [{ path: 'enabled', from: true, to: false }, { to: 'gone' }] },
    ])
  })

  test('of a person who unsubscribes has nobody as its actor, and not their address', async () => {
    const send = await makeSend(server, workspace)
    await server.request('POST', `/public/unsubscribe/${send.token('unsubscribe')}`, {
      headers: { 'x-forwarded-for': '203.0.113.77' },
    })
    expect(await latest()).toMatchObject({
      action: 'suppression.create',
      actor: { type: 'anonymous', id: null },
      ip: null,
      changes: [{ path: 'channel', to: 'email' }, { path: 'reason', to: 'unsubscribe' }, { path: 'source' }],
    })
  })
})

describe('the list', () => {
  test('is filtered by actor, action, noun, target, outcome and time, and pages through all', async () => {
    const { key, id: keyId } = await createApiKey(server, workspace.token, ['integrations.manage'])
    server.clock.advance(60_000)
    const made = await call('POST', '/v1/webhooks', { url: 'https://8.8.8.8/hooks' }, key)
    const webhook = made.body.id
    server.clock.advance(60_000)
    await call('PATCH', `/v1/webhooks/${webhook}`, { enabled: false })
    await call('POST', '/v1/roles', { name: 'More', permissions: [] }, key)
    await seal()
    const all = (await list()).map(({ action }) => action)
    expect(all).toEqual(['role.create', 'webhook.update', 'webhook.create', 'api_key.create', 'workspace.create'])
    const at = (minutes: number) => new Date(Date.parse('2026-03-02T10:00:00Z') + minutes * 60_000).toISOString()
    const of = async (query: string) => (await list(`&${query}`)).map(({ action }) => action)
    expect(await of(`actor=${keyId}`)).toEqual(['role.create', 'webhook.create'])
    expect(await of('action=webhook.create')).toEqual(['webhook.create'])
    expect(await of('action=webhook.*')).toEqual(['webhook.update', 'webhook.create'])
    expect(await of('action=web.*')).toEqual([])
    expect(await of(`target=${webhook}`)).toEqual(['webhook.update', 'webhook.create'])
    expect(await of('outcome=refused')).toEqual(['role.create'])
    expect(await of('outcome=ok')).toEqual(all.slice(1))
    expect(await of(`since=${at(1)}`)).toEqual(all.slice(0, 3))
    expect(await of(`until=${at(1)}`)).toEqual(all.slice(3))
    expect(await of(`since=${at(1)}&until=${at(2)}&actor=${keyId}`)).toEqual(['webhook.create'])
    const paged = []
    for (let cursor = ''; ;) {
      const page = await call('GET', `/v1/audit?limit=2${cursor && `&cursor=${cursor}`}`)
      paged.push(...page.body.data)
      if (page.body.next_cursor === null) break
      cursor = page.body.next_cursor
    }
    expect(paged).toEqual(await list())
  })

  test('ends a page at 1.5 MB, and the next goes on', async () => {
    await makeId(server, workspace, 'webhook')
    await server.peek(
      `insert into audit_entries (tenant_id, id, at, actor_type, action, outcome, changes)
       select tenant_id, gen_random_uuid(), at, 'system', action, 'ok',
         jsonb_build_array(jsonb_build_object('path', 'tags', 'to', repeat('x', 40000)))
       from audit_entries, generate_series(1, 60) where tenant_id = $1 and action = 'webhook.create'`,
      [parseId('workspace', workspace.workspaceId)],
    )
    const sizes = []
    const ids = new Set()
    for (let cursor: string | null = ''; cursor !== null;) {
      const { body } = await call('GET', `/v1/audit?limit=500${cursor && `&cursor=${cursor}`}`)
      sizes.push(JSON.stringify(body).length)
      for (const { id } of body.data) ids.add(id)
      cursor = body.next_cursor
    }
    expect(ids.size).toBe(62)
    expect(sizes.length).toBeGreaterThan(1)
    for (const size of sizes) expect(size).toBeLessThan(1_700_000)
  })

  test('refuses a filter that it does not know', async () => {
    expect((await server.request('GET', '/v1/audit?actr=usr_1', { token: workspace.token })).status).toBe(400)
  })

  test('and the check need audit.read, and show nothing of another workspace', async () => {
    const { key } = await createApiKey(server, workspace.token, ['integrations.manage'])
    for (const path of ['/v1/audit', '/v1/audit/verify'])
      expect(await call('GET', path, undefined, key)).toMatchObject({ status: 403, body: { permission: 'audit.read' } })
    const other = await createWorkspace(server)
    const theirs = await call('GET', '/v1/audit', undefined, other.token)
    expect(theirs.body.data).toMatchObject([{ action: 'workspace.create', target: { id: other.workspaceId } }])
  })
})

describe('sealing', () => {
  test('gives entries the next numbers and hashes, as the documents say', async () => {
    await call('POST', '/v1/roles', { name: 'A', permissions: [] })
    expect((await list()).map(({ seq }) => seq)).toEqual([null, null])
    expect(await verify()).toMatchObject({ ok: true, entries: 0, waiting: 2, head: null })
    expect(await seal()).toBeGreaterThanOrEqual(2)
    await call('POST', '/v1/roles', { name: 'B', permissions: [] })
    await seal()
    const entries = (await list()).toReversed()
    let previous = ''
    for (const [index, { hash, ...content }] of entries.entries()) {
      expect(content).toMatchObject({ seq: index + 1, previous_hash: previous })
      expect(hash).toBe(sha256(previous + sorted(content)))
      previous = hash
    }
    expect(await verify(`?anchor=2:${entries[1].hash}`)).toEqual({
      ok: true,
      entries: 3,
      waiting: 0,
      head: { seq: 3, hash: previous, at: '2026-03-02T10:00:00.000Z' },
      broken_at: null,
      reason: null,
    })
    expect(await verify(`?anchor=2:${previous}`)).toMatchObject({ ok: false, broken_at: 2, reason: 'rewritten' })
    expect(await verify(`?anchor=4:${previous}`)).toMatchObject({ ok: false, broken_at: 4, reason: 'truncated' })
  })

  test('by several processes at once gives each entry one number, without a gap', async () => {
    for (let n = 0; n < 20; n++) await call('POST', '/v1/roles', { name: `Role ${n}`, permissions: [] })
    const sealed = await Promise.allSettled(
      Array.from({ length: 8 }, () => inWorkspace(server, workspace, (scope) => sealBatch(scope))),
    )
    expect(sealed.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(0)
    await seal()
    expect(await verify()).toMatchObject({ ok: true, entries: 21, waiting: 0 })
    expect(await seal()).toBe(0)
  })

  test('that fails in the middle leaves all as it was', async () => {
    await call('POST', '/v1/roles', { name: 'A', permissions: [] })
    await server.peek(`alter table audit_seals add constraint broken check (seq <> 2) not valid`)
    await expect(seal()).rejects.toThrow()
    expect(await verify()).toMatchObject({ ok: true, entries: 0, waiting: 2 })
    await server.peek('alter table audit_seals drop constraint broken')
    await seal()
    expect(await verify()).toMatchObject({ ok: true, entries: 2, waiting: 0 })
  })

  test('looks at nothing while nothing waits', async () => {
    await seal()
    const isDue = async () => {
      const looks = await server.services.run((system) =>
        acrossTenants(system, async (tx, among) => [await sealEntriesSweep.isDue!(tx, new Date(), among)]),
      )
      return looks.includes(true)
    }
    expect(await isDue()).toBe(false)
    await call('POST', '/v1/roles', { name: 'A', permissions: [] })
    expect(await isDue()).toBe(true)
  })
})

test('64 callers at once lose no entry, and wait for no seal', async () => {
  const names = Array.from({ length: 256 }, (_, n) => `Role ${n}`)
  let done = false
  const sealing = (async () => {
    while (!done) await seal()
  })()
  const statuses: number[] = []
  await Promise.all(
    Array.from({ length: 64 }, async () => {
      for (let name = names.pop(); name !== undefined; name = names.pop())
        statuses.push((await call('POST', '/v1/roles', { name, permissions: [] })).status)
    }),
  )
  done = true
  await sealing
  await seal()
  expect(statuses).toEqual(Array.from({ length: 256 }, () => 201))
  expect(await verify()).toMatchObject({ ok: true, entries: 257, waiting: 0, head: { seq: 257 } })
  const targets = await server.peek<{ n: number }>(
    `select count(distinct target_id)::int as n from audit_entries where action = 'role.create' and request_id is not null
     and tenant_id = $1`,
    [parseId('workspace', workspace.workspaceId)],
  )
  expect(targets).toEqual([{ n: 256 }])
})

test('neither a tenant nor the system may change or delete an entry or a seal', async () => {
  await seal()
  const tenantId = parseId('workspace', workspace.workspaceId) as TenantId
  for (const table of ['audit_entries', 'audit_seals'])
    for (const change of [
      sql`update ${sql.table(table)} set tenant_id = tenant_id where tenant_id = ${tenantId}`,
      sql`delete from ${sql.table(table)} where tenant_id = ${tenantId}`,
    ]) {
      const denied = { code: '42501' }
      await expect(inWorkspace(server, workspace, (scope) => scope.tx((tx) => tx.run(change)))).rejects.toMatchObject(
        denied,
      )
      await expect(server.services.run((system) => system.tx((tx) => tx.run(change)))).rejects.toMatchObject(denied)
    }
})

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

// Enough of RFC 8785 for entries: members in order, and no white space.
function sorted(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(sorted).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${sorted(member)}`).join(',')}}`
}
