import { readFile } from 'node:fs/promises'
import { Webhook } from 'svix'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { features } from '../../features.ts'
import {
  addNumber,
  caller,
  startCallbackServer,
  texter,
} from '../../features/outreach/conversations/twilio-callbacks.fixture.ts'
import type { Route } from '../../http/routes/route.ts'
import { formatId, newId } from '../../platform/ids.ts'
import { PERMISSIONS } from '../../platform/permissions.ts'
import { makeCall, type Call } from '../../testing/audit-calls.ts'
import { createApiKey, shareWorkspaces, type TestWorkspace } from '../../testing/fixtures.ts'
import type { TestServer } from '../../testing/harness.ts'
import { makeLiveSurvey } from '../../testing/makers.ts'
import { makeSend } from '../../testing/send-fixture.ts'

const SECRET = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'
const routes = features.flatMap((feature) => feature.routes ?? [])
const ruleOf = ({ audit }: Route) => (audit && !('none' in audit) ? audit : null)
const each = (list: Route[]) => list.map((route) => [`${route.method.toUpperCase()} ${route.path}`, route] as const)

// The routes of providers are called by them, and told in the last tests.
const byProvider = (route: Route) => route.tag === 'Provider callbacks'
const called = routes.filter((route) => (route.method !== 'get' || route.audit) && !byProvider(route))
const audited = called.filter((route) => ruleOf(route))

let server: TestServer
let workspace: TestWorkspace
beforeAll(async () => {
  server = await startCallbackServer({ env: { TRUSTED_PROXIES: '127.0.0.1/32', EMAIL_WEBHOOK_SECRET: SECRET } })
})
afterAll(() => server.close())
const nextWorkspace = shareWorkspaces(() => server, 50)
beforeEach(async () => {
  workspace = await nextWorkspace()
})

interface Entry {
  tenant_id: string
  id: string
  action: string
  outcome: string
  actor_type: string
  actor_id: string | null
  target_id: string | null
  ip: string | null
  request_id: string | null
}

/** The entries that appear while something happens. Nothing else runs. */
async function entriesDuring(work: () => Promise<unknown>): Promise<Entry[]> {
  const [{ ids: before = [] } = {}] = await server.peek<{ ids: string[] }>(
    'select array_agg(id) as ids from audit_entries',
  )
  await work()
  return server.peek('select * from audit_entries where id <> all($1::uuid[]) order by id', [before ?? []])
}

let callers = 0
const send = (route: Route, { path, ...call }: Call, headers: Record<string, string> = {}) =>
  server.request(route.method.toUpperCase(), path, {
    ...call,
    // A new address each time, because limits by address are not tested here.
    headers: { 'x-forwarded-for': `203.0.113.${(callers += 1) & 255}`, ...call.headers, ...headers },
  })

test('every route that may change something is called', () => {
  expect(audited.length).toBeGreaterThan(50)
  expect(routes.filter((route) => route.method !== 'get' && route.audit === undefined)).toEqual([])
  expect(routes.filter((route) => byProvider(route) && ruleOf(route)).map((route) => route.operationId)).toEqual([
    'takeEmailEvent',
    'takeTwilioSms',
    'takeTwilioVoice',
  ])
})

test('docs/audit.md lists exactly the actions that exist', async () => {
  const text = await readFile(new URL('../../../docs/audit.md', import.meta.url), 'utf8')
  const listed = text
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .flatMap((line) => [...line.matchAll(/`([a-z_]+\.[a-z_]+)`/g)].map(([, action = '']) => action))
  const BACKGROUND = [
    'webhook.disable',
    'notification_subscription.disable',
    'response.expire',
    'event.expire',
    'send.expire',
    'privacy_request.complete',
    'export_schedule.pause',
    'report.pause',
  ]
  expect(listed.sort()).toEqual([...new Set([...routes.flatMap((route) => ruleOf(route) ?? []), ...BACKGROUND])].sort())
})

describe('a call that takes effect leaves exactly the entries of its declaration', () => {
  test.each(each(called))('%s', async (_name, route) => {
    const call = await makeCall(server, workspace, route)
    let requestId: string | null = null
    const entries = await entriesDuring(async () => {
      const answer = await send(route, call)
      expect(answer.status, answer.text).toBeLessThan(300)
      requestId = answer.headers.get('x-request-id')
    })
    expect(entries.map(({ action, outcome }) => [action, outcome])).toEqual(
      (ruleOf(route) ?? []).map((action) => [action, 'ok']),
    )
    for (const entry of entries) expect(entry).toMatchObject({ request_id: requestId })
    if (route.kind === 'tenant' && entries.length === 1)
      expect(entries).toMatchObject([{ actor_type: 'user', actor_id: workspace.userId, ip: expect.any(String) }])
  })
})

describe('a replay under the same Idempotency-Key leaves none', () => {
  test.each(each(audited.filter((route) => route.idempotent)))('%s', async (_name, route) => {
    const call = await makeCall(server, workspace, route)
    const headers = { 'idempotency-key': 'once' }
    const first = await entriesDuring(() => send(route, call, headers))
    const entries = await entriesDuring(async () => {
      const answer = await send(route, call, headers)
      expect(answer.headers.get('idempotency-replayed'), answer.text).toBe('true')
    })
    expect([first.length, entries]).toEqual([ruleOf(route)?.length, []])
  })
})

// Both refusals come before the route looks for anything, so its ids are unknown ones.
function refusedCall(route: Route): Call {
  let path = route.path
  for (const [name, kind] of Object.entries(route.params)) {
    const id = kind === 'text' ? 'x' : formatId(kind, newId(kind))
    path = path.replace(`:${name}`, id)
  }
  return { path, token: workspace.token, body: route.example }
}

const keys = new Map<string, { key: string; id: string }>()
/** A key of the workspace with every permission but one. */
async function keyWithout(permission: Route['permission']): Promise<{ key: string; id: string }> {
  const name = `${workspace.workspaceId} ${permission}`
  const others = PERMISSIONS.filter((each) => each !== permission)
  const made = keys.get(name) ?? (await createApiKey(server, workspace.token, others))
  keys.set(name, made)
  return made
}

const ofTenant = called.filter((route) => route.kind === 'tenant')

describe('a call without the permission leaves one refused entry', () => {
  test.each(each(ofTenant.filter((route) => route.permission)))('%s', async (_name, route) => {
    const call = refusedCall(route)
    const { key, id } = await keyWithout(route.permission)
    const entries = await entriesDuring(async () => {
      const answer = await send(route, { ...call, token: key })
      expect(answer, answer.text).toMatchObject({ status: 403, body: { permission: route.permission } })
    })
    expect(entries).toMatchObject(refusedBy(route, { actor_type: 'api_key', actor_id: id }))
    if (ruleOf(route)) expect(entries[0]?.target_id).toBe(/\/((?!v1)[a-z]+_[0-9a-z]{26})/.exec(call.path)?.[1] ?? null)
  })
})

describe('a call from an address off the allowlist leaves one refused entry', () => {
  test.each(each(ofTenant))('%s', async (_name, route) => {
    const call = refusedCall(route)
    await server.peek(`update workspaces set ip_allowlist = '{192.0.2.0/24}'`)
    const entries = await entriesDuring(async () => {
      const answer = await send(route, call)
      expect(answer, answer.text).toMatchObject({ status: 403, body: { code: 'ip_not_allowed' } })
    })
    await server.peek(`update workspaces set ip_allowlist = '{}'`)
    expect(entries).toMatchObject(refusedBy(route, { actor_type: 'user', actor_id: workspace.userId }))
  })
})

test('a permission that only the verb asks for is refused with an entry as well', async () => {
  const { key } = await createApiKey(server, workspace.token, ['roles.manage'])
  const entries = await entriesDuring(() =>
    server.request('POST', '/v1/roles', { token: key, body: { name: 'More', permissions: ['org.manage'] } }),
  )
  expect(entries).toMatchObject([{ action: 'role.create', outcome: 'refused' }])
})

test('calls that the allowlist refuses write few entries and leave the 600 of the right address alone', async () => {
  const { key } = await createApiKey(server, workspace.token, ['surveys.manage'])
  const call = (ip: string) =>
    server.request('POST', '/v1/surveys', { token: key, body: {}, headers: { 'x-forwarded-for': ip } })
  await server.peek(`update workspaces set ip_allowlist = '{192.0.2.0/24}'`)
  const entries = await entriesDuring(async () => {
    for (let n = 0; n < 601; n++) expect((await call('203.0.113.9')).status).toBe(403)
  })
  expect(entries).toHaveLength(120)
  const right = await call('192.0.2.1')
  await server.peek(`update workspaces set ip_allowlist = '{}'`)
  expect([right.status, right.headers.get('ratelimit-remaining')]).toEqual([400, '599'])
})

test('a complaint leaves an entry of the provider', async () => {
  const sent = await makeSend(server, workspace)
  const body = JSON.stringify({
    type: 'email.complained',
    created_at: server.clock.now().toISOString(),
    data: { email_id: 'p1', to: ['someone@example.com'], tags: { voc_delivery: sent.token('delivery') } },
  })
  const entries = await entriesDuring(() =>
    server.request('POST', '/public/email/events', {
      body,
      headers: {
        'svix-id': 'msg_1',
        'svix-timestamp': String(Math.floor(server.clock.now().getTime() / 1000)),
        'svix-signature': new Webhook(SECRET).sign('msg_1', server.clock.now(), body),
      },
    }),
  )
  expect(entries).toMatchObject([{ action: 'suppression.create', actor_type: 'provider', actor_id: 'email' }])
})

test('STOP and START leave entries of the provider', async () => {
  const { number } = await addNumber(server, workspace)
  const ada = texter(server, number)
  const entries = await entriesDuring(async () => {
    await ada.text('STOP')
    await ada.text('STOP')
    await ada.text('START')
  })
  expect(entries).toMatchObject([
    { action: 'suppression.create', actor_type: 'provider', actor_id: 'twilio' },
    { action: 'suppression.lift', actor_type: 'provider', actor_id: 'twilio' },
  ])
})

test('a person who wants no calls leaves an entry of the provider', async () => {
  const { number } = await addNumber(server, workspace, { capabilities: ['voice'] })
  const ada = caller(server, `/public/twilio/voice/${await makeLiveSurvey(server, workspace)}`, { number })
  await ada.begin()
  const entries = await entriesDuring(() => ada.say('stop calling'))
  expect(entries).toMatchObject([{ action: 'suppression.create', actor_type: 'provider', actor_id: 'twilio' }])
})

test('no entry of all these holds a text that somebody wrote', async () => {
  const rows = await server.peek<{ action: string; changes: Array<{ path: string; from?: unknown; to?: unknown }> }>(
    'select action, changes from audit_entries',
  )
  const texts = rows.flatMap(({ action, changes }) =>
    changes.flatMap(({ path, from, to }) =>
      [from, to]
        .flat()
        .filter((value) => typeof value === 'string' || typeof value === 'object')
        .filter((value) => value !== null)
        .map((value) => ({ path: `${action} ${path}`, text: String(value) })),
    ),
  )
  const closed = new Set(enumsIn(JSON.parse(await readFile(new URL('../../../openapi.json', import.meta.url), 'utf8'))))
  const isPlain = (text: string) =>
    closed.has(text) || /^[a-z]+_[0-9a-z]{26}$|^\d{4}-\d\d-\d\d(T[\d:.]+Z)?$|^[0-9a-f.:]+\/\d+$/.test(text)
  expect(texts.length).toBeGreaterThan(100)
  expect([...new Set(texts.filter(({ text }) => !isPlain(text)).map(({ path, text }) => `${path}: ${text}`))]).toEqual(
    [],
  )
})

/** Every closed list of values in the reference. */
function enumsIn(node: unknown): unknown[] {
  if (typeof node !== 'object' || node === null) return []
  const { enum: own = [] } = node as { enum?: unknown[] }
  return [...own, ...Object.values(node).flatMap(enumsIn)]
}

function refusedBy(route: Route, actor: Partial<Entry>): object[] {
  const rule = ruleOf(route)
  return rule ? [{ action: rule[0], outcome: 'refused', ...actor }] : []
}
