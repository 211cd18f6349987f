import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorkspace, type TestWorkspace } from '../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../testing/harness.ts'

let server: TestServer
let owner: TestWorkspace
beforeAll(async () => {
  server = await startTestServer()
  owner = await createWorkspace(server)
})
afterAll(() => server.close())

const call = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
  server.request(method, `/v1${path}`, { token: owner.token, body, ...(headers && { headers }) })

const CONTENT = {
  en: {
    subject: 'Your opinion',
    html: '<p><a href="{{ survey_url }}">Answer</a> <a href="{{ unsubscribe_url }}">Stop</a></p>',
  },
}
const FILTER = { all: [{ field: 'band', op: 'eq', value: 'detractor' }] }

/** A list, a body that makes one of it, and two changes. */
const RESOURCES: Array<[path: string, body: object, first: object, second: object]> = [
  ['/dashboards', { name: 'A', widgets: [] }, { name: 'B' }, { name: 'C' }],
  ['/alert-rules', { name: 'A', trigger: { on: 'response', filter: FILTER } }, { name: 'B' }, { enabled: false }],
  ['/email-templates', { name: 'A', content: CONTENT, default_language: 'en' }, { name: 'B' }, { name: 'C' }],
  ['/roles', { name: 'A', permissions: ['surveys.manage'] }, { name: 'B' }, { permissions: [] }],
  ['/segments', { name: 'A', filter: { all: [] } }, { name: 'B' }, { description: 'C' }],
  ['/webhooks', { url: 'https://example.com/a' }, { description: 'B' }, { enabled: false }],
]

test.each(RESOURCES)('two people who change one of %s at once lose nothing', async (list, body, first, second) => {
  const made = await call('POST', list, body)
  expect(made.status, made.text).toBe(201)
  await loseNothing(`${list}/${made.body.id}`, made.headers.get('etag') ?? '', first, second)
})

test('two people who change a report at once lose nothing, and its next run is no change', async () => {
  const [dashboard] = (await call('GET', '/dashboards')).body.data
  const made = await call('POST', '/reports', {
    name: 'A',
    dashboard_id: dashboard.id,
    recipients: [owner.userId],
    schedule: { cron: '0 8 * * 1', timezone: 'UTC' },
  })
  await loseNothing(`/reports/${made.body.id}`, made.headers.get('etag') ?? '', { name: 'B' }, { name: 'C' })
})

async function loseNothing(path: string, made: string, first: object, second: object): Promise<void> {
  const read = await call('GET', path)
  const etag = read.headers.get('etag') ?? ''
  expect(etag).toMatch(/^"[\w-]{22}"$/)
  expect(made).toBe(etag)
  expect((await call('GET', path)).headers.get('etag')).toBe(etag)
  server.clock.advance(1_000)
  const changed = await call('PATCH', path, first, { 'if-match': etag })
  expect(changed.status, changed.text).toBe(200)
  const newer = changed.headers.get('etag') ?? ''
  expect(newer).not.toBe(etag)
  for (const [method, change] of [
    ['PATCH', second],
    ['DELETE', undefined],
  ] as const)
    expect(await call(method, path, change, { 'if-match': etag })).toMatchObject({
      status: 412,
      body: { code: 'stale' },
    })
  expect((await call('GET', path)).headers.get('etag')).toBe(newer)
  // Without the header as before, and a list of tags or `*` as HTTP has it.
  expect((await call('PATCH', path, second)).status).toBe(200)
  expect((await call('PATCH', path, first, { 'if-match': '"x", *' })).status).toBe(412)
  expect((await call('PATCH', path, first, { 'if-match': '*' })).status).toBe(200)
  expect((await call('DELETE', path, undefined, { 'if-match': '*' })).status).toBe(204)
  expect((await call('DELETE', path, undefined, { 'if-match': '*' })).status).toBe(404)
}

test('two people who change the settings of the workspace at once lose nothing', async () => {
  const etag = (await call('GET', '/org')).headers.get('etag') ?? ''
  const changed = await call('PATCH', '/org', { name: 'B' }, { 'if-match': etag })
  expect(changed.status).toBe(200)
  expect(await call('PATCH', '/org', { name: 'C' }, { 'if-match': etag })).toMatchObject({ status: 412 })
  expect((await call('GET', '/org')).body.name).toBe('B')
  const newer = changed.headers.get('etag') ?? ''
  expect((await call('PATCH', '/org', { name: 'C' }, { 'if-match': newer })).status).toBe(200)
})
