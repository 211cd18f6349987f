import { sortNames } from '../../../platform/fields/catalogue.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApiKey, createMember, createWorkspace, type TestWorkspace } from '../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../testing/harness.ts'

let server: TestServer
let owner: TestWorkspace
beforeAll(async () => {
  server = await startTestServer()
  owner = await createWorkspace(server)
})
afterAll(() => server.close())

const call = (method: string, path: string, body?: unknown, token = owner.token) =>
  server.request(method, `/v1/filter-views${path}`, { token, body })
const make = async (more: object = {}, token = owner.token) => {
  const made = await call('POST', '', { name: 'Low', entity: 'responses', ...more }, token)
  expect(made.status, made.text).toBe(201)
  return made.body
}

test('a private view is for its owner only, a shared one for all to read', async () => {
  const other = await createMember(server, owner.token, 'viewer')
  const hidden = await make()
  const shared = await make({ visibility: 'shared', columns: ['score'], sort: '-score' })
  expect(shared).toMatchObject({ columns: ['score'], sort: '-score', is_default: false, owner_id: owner.userId })
  const refused = await call('GET', `/${hidden.id}`, undefined, other.token)
  const unknown = await call('GET', '/flt_00000000000000000000000000', undefined, other.token)
  expect(refused.status).toBe(404)
  expect({ ...refused.body, request_id: '' }).toEqual({ ...unknown.body, request_id: '' })
  expect((await call('PATCH', `/${hidden.id}`, { name: 'X' }, other.token)).status).toBe(404)
  expect((await call('DELETE', `/${hidden.id}`, undefined, other.token)).status).toBe(404)
  const seen = (await call('GET', '?entity=responses', undefined, other.token)).body.data
  expect(seen.map((view: { id: string }) => view.id)).toEqual([shared.id])
  expect((await call('PATCH', `/${shared.id}`, { name: 'X' }, other.token)).body.code).toBe('not_owner')
  expect((await call('PATCH', `/${shared.id}`, { is_default: true }, other.token)).body.is_default).toBe(true)
  expect((await call('GET', `/${shared.id}`)).body.is_default).toBe(false)
})

test('a key acts for its maker with dashboards.manage, and else reads the shared views and changes none', async () => {
  const hidden = await make()
  const shared = await make({ visibility: 'shared' })
  const { key: bare } = await createApiKey(server, owner.token, [])
  const { key } = await createApiKey(server, owner.token, ['dashboards.manage'])
  const seen = (await call('GET', '?limit=100', undefined, bare)).body.data
  expect(seen.map(({ visibility }: { visibility: string }) => visibility)).not.toContain('private')
  expect(seen.map(({ id }: { id: string }) => id)).toContain(shared.id)
  expect((await call('GET', `/${hidden.id}`, undefined, bare)).status).toBe(404)
  for (const [method, path, body] of [
    ['POST', '', { name: 'Low', entity: 'responses' }],
    ['PATCH', `/${hidden.id}`, { name: 'X' }],
    ['PATCH', `/${shared.id}`, { is_default: true }],
    ['DELETE', `/${hidden.id}`, undefined],
    ['DELETE', `/${shared.id}`, undefined],
  ] as const)
    expect(await call(method, path, body, bare)).toMatchObject({
      status: 403,
      body: { code: 'forbidden', permission: 'dashboards.manage' },
    })
  expect((await call('PATCH', `/${hidden.id}`, { name: 'Mine' }, key)).body).toMatchObject({
    name: 'Mine',
    owner_id: owner.userId,
  })
  expect((await call('GET', `/${hidden.id}`)).body.name).toBe('Mine')
})

test('a person has one default for each list', async () => {
  const first = await make({ is_default: true })
  const second = await make({ is_default: true })
  const people = await make({ entity: 'people', is_default: true })
  const isDefault = async ({ id }: { id: string }) => (await call('GET', `/${id}`)).body.is_default
  expect([await isDefault(first), await isDefault(second), await isDefault(people)]).toEqual([false, true, true])
  await call('PATCH', `/${second.id}`, { is_default: false })
  expect(await isDefault(second)).toBe(false)
  expect((await call('DELETE', `/${people.id}`)).status).toBe(204)
  expect((await call('GET', `/${people.id}`)).status).toBe(404)
})

test('a filter that its list does not take is refused', async () => {
  const wrong = { all: [{ field: 'moon', op: 'eq', value: 1 }] }
  for (const entity of ['responses', 'people', 'alerts', 'leads', 'sends', 'webhook_deliveries', 'audit']) {
    const refused = await call('POST', '', { name: 'X', entity, filter: wrong })
    expect(refused.status).toBe(400)
    expect(refused.body.issues[0].path).toBe('filter.all.0.field')
  }
  expect((await call('POST', '', { name: 'X', entity: 'audit', filter: { moon: 'x' } })).status).toBe(400)
  const failures = { all: [{ field: 'outcome', op: 'eq', value: 'failed' }] }
  expect((await make({ entity: 'audit', filter: failures })).filter).toEqual(failures)
  expect((await make({ entity: 'audit', filter: { action: 'webhook.*' } })).filter).toEqual({ action: 'webhook.*' })
  expect((await make({ entity: 'sends', filter: { channel: 'email' } })).filter).toEqual({ channel: 'email' })
  const failed = { status: 'failed', since: '2026-01-01' }
  expect((await make({ entity: 'webhook_deliveries', filter: failed })).filter).toEqual(failed)
  for (const entity of ['sends', 'webhook_deliveries'])
    expect((await call('POST', '', { name: 'X', entity, filter: { moon: 'x' } })).body.issues).toMatchObject([
      { path: 'filter' },
    ])
  const long = await call('POST', '', { name: 'X', entity: 'audit', filter: { action: 'x'.repeat(201) } })
  expect([long.status, long.body.issues?.[0].message]).toEqual([400, expect.stringContaining('at most 200 characters')])
  const { id } = await make()
  expect((await call('PATCH', `/${id}`, { filter: wrong })).status).toBe(400)
})

test('a view takes the columns of its list only, in columns and in sort', async () => {
  const columns = ['id', 'score', 'custom.plan', 'created_at']
  for (const [entity, names] of [
    ['responses', ['id', 'score', 'custom.plan', 'completed_at']],
    ['people', ['email', 'attribute.plan', 'created_at']],
    ['alerts', ['status', 'priority']],
    ['leads', ['status', 'email']],
    ['sends', ['channel', 'status']],
    ['webhook_deliveries', ['event', 'attempts']],
    ['audit', ['actor', 'action', 'at']],
  ] as const) {
    const made = await make({ entity, columns: names, sort: `-${sortNames(entity)[0]}` })
    expect(made.columns).toEqual(names)
    const wrong = await call('PATCH', `/${made.id}`, { columns: [names[0], 'no_such_column'], sort: 'constructor' })
    expect(wrong.status, entity).toBe(400)
    expect(wrong.body.issues.map(({ path }: { path: string }) => path)).toEqual(['columns.1', 'sort'])
  }
  expect((await call('POST', '', { name: 'Low', entity: 'people', columns })).body.issues[0].path).toBe('columns.1')
})

test('a page of large filters ends before its limit, and its cursor goes on', async () => {
  const { token } = await createMember(server, owner.token, 'viewer')
  const value = Array.from({ length: 100 }, (_, n) => `${n}`.padEnd(190, 'x'))
  const filter = { all: Array.from({ length: 4 }, () => ({ field: 'custom.plan', op: 'one_of', value })) }
  const made: string[] = []
  for (let n = 0; n < 25; n++) made.push((await make({ filter }, token)).id)
  const seen: string[] = []
  for (let cursor = ''; cursor !== null;) {
    const { text, body } = await call('GET', `?limit=500${cursor && `&cursor=${cursor}`}`, undefined, token)
    expect(text.length).toBeLessThan(2_000_000)
    for (const { id } of body.data) seen.push(id)
    cursor = body.next_cursor
  }
  expect(seen.filter((id) => made.includes(id))).toEqual(made.toReversed())
})

test('a shared view shows others nothing that its list hides from them', async () => {
  const viewer = await createMember(server, owner.token, 'viewer')
  const filter = { all: [{ field: 'attribute.tier', op: 'eq', value: 'platinum' }] }
  const people = await make({ entity: 'people', visibility: 'shared', filter })
  expect(people.filter).toEqual(filter)
  const masked = { all: [{ field: 'attribute.tier', op: 'eq', value: '***' }] }
  expect((await call('GET', `/${people.id}`, undefined, viewer.token)).body.filter).toEqual(masked)
  expect((await call('GET', '?entity=people', undefined, viewer.token)).text).not.toContain('platinum')
  const { key } = await createApiKey(server, owner.token, [])
  expect((await call('GET', '?entity=people', undefined, key)).text).not.toContain('platinum')
  expect((await call('GET', '?entity=people')).text).toContain('platinum')
  for (const [entity, kept] of [
    ['audit', { target: 'survey' }],
    ['webhook_deliveries', { status: 'failed' }],
  ] as const) {
    const view = await make({ entity, visibility: 'shared', filter: kept })
    for (const token of [viewer.token, key]) {
      expect((await call('GET', `/${view.id}`, undefined, token)).status).toBe(404)
      expect((await call('GET', `?entity=${entity}`, undefined, token)).body.data).toEqual([])
    }
    expect((await call('PATCH', `/${view.id}`, { is_default: true }, viewer.token)).status).toBe(404)
    expect((await call('GET', `/${view.id}`)).body.filter).toEqual(kept)
  }
})

test('a page of views that one may not read leads on to those that one may', async () => {
  const house = await createWorkspace(server)
  const viewer = await createMember(server, house.token, 'viewer')
  const own = await make({ visibility: 'shared' }, house.token)
  const value = Array.from({ length: 100 }, (_, n) => `${n}`.padEnd(150, 'x'))
  const any = Array.from({ length: 6 }, () => ({ field: 'target', op: 'one_of', value }))
  for (let n = 0; n < 20; n += 1) await make({ entity: 'audit', visibility: 'shared', filter: { any } }, house.token)
  const seen: string[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const { body }: { body: { data: Array<{ id: string }>; next_cursor: string | null } } = await call(
      'GET',
      `?limit=50${cursor && `&cursor=${cursor}`}`,
      undefined,
      viewer.token,
    )
    seen.push(...body.data.map(({ id }) => id))
    cursor = body.next_cursor
  }
  expect(seen).toEqual([own.id])
})
