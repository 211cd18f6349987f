import { afterAll, beforeAll, expect, test } from 'vitest'
import { features } from '../../features.ts'
import { sendMailSweep } from '../../features/access/mail/mail.feature.ts'
import { scheduleSweep } from '../../features/programme/scheduled-reports/reports.feature.ts'
import type { Permission } from '../../platform/permissions.ts'
import { LISTS, permissionToRead } from '../../platform/readers.ts'
import { createApiKey, createMember, createWorkspace, runSweep, type TestWorkspace } from '../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../testing/harness.ts'
import { makeLiveSurvey, submit } from '../../testing/makers.ts'
import { recordEmail } from '../../testing/recording-email.ts'

const WORDS = /wilhelmina@example\.com|\+4930901820|Wilhelmina|platinum|Analytical Engines|She called|agreed by phone/

let server: TestServer
let owner: TestWorkspace
let viewer: string
beforeAll(async () => {
  server = await startTestServer()
  owner = await createWorkspace(server)
  viewer = (await createMember(server, owner.token, 'viewer')).token
})
afterAll(() => server.close())

const call = (method: string, path: string, body?: unknown, token = owner.token) =>
  server.request(method, `/v1${path}`, { token, body })
const keyWith = async (permissions: Permission[]) => (await createApiKey(server, owner.token, permissions)).key

test('each list takes the permission that every other way to its rows takes', () => {
  const routes = features.flatMap((feature) => feature.routes ?? [])
  for (const list of LISTS) {
    const path = `/v1/${list.replaceAll('_', '-')}`
    const route = routes.find((one) => one.method === 'get' && one.path === path)
    expect(route, path).toBeDefined()
    expect(route?.permission, path).toBe(permissionToRead(list))
  }
})

test('a person without people.manage sees no attribute, and confirms neither an attribute nor an address', async () => {
  const body = {
    email: 'wilhelmina@example.com',
    phone: '+4930901820',
    name: 'Wilhelmina',
    attributes: { tier: 'platinum' },
  }
  const { id } = (await call('POST', '/people', body)).body
  const filter = { all: [{ field: 'attribute.tier', op: 'eq', value: 'platinum' }] }
  const segment = (await call('POST', '/segments', { name: 'Tier', filter })).body.id
  const inFilter = encodeURIComponent(JSON.stringify(filter))
  for (const path of ['/people', `/people/${id}`, `/people/${id}/timeline`, '/segments', `/segments/${segment}`]) {
    const answer = await call('GET', path, undefined, viewer)
    expect(answer.status, path).toBe(200)
    expect(answer.text).not.toMatch(WORDS)
  }
  const analyst = await keyWith(['segments.manage', 'exports.manage'])
  const refused = { status: 403, body: { code: 'forbidden', permission: 'people.manage' } }
  const bySegment = encodeURIComponent(JSON.stringify({ all: [{ field: 'segment_id', op: 'eq', value: segment }] }))
  for (const path of [
    `/people?filter=${inFilter}`,
    '/people?search=wilhelmina@example.com',
    '/people?search=nobody',
    `/segments/${segment}/preview`,
    `/responses?filter=${bySegment}`,
  ])
    expect(await call('GET', path, undefined, viewer)).toMatchObject(refused)
  expect(await call('POST', '/segments', { name: 'Mine', filter }, analyst)).toMatchObject(refused)
  expect(await call('POST', '/segments/preview', { filter }, analyst)).toMatchObject(refused)
  expect(await call('PATCH', `/segments/${segment}`, { filter }, analyst)).toMatchObject(refused)
  expect(await call('POST', '/export-runs', { source: 'people', filter }, analyst)).toMatchObject(refused)
  expect((await call('PATCH', `/segments/${segment}`, { name: 'Ours' }, analyst)).status).toBe(200)
  const keeper = await keyWith(['people.manage'])
  for (const path of [`/people?filter=${inFilter}`, '/people?search=wilhelmina@example.com'])
    expect((await call('GET', path, undefined, keeper)).body.data).toMatchObject([{ id, attributes: body.attributes }])
})

test('an external id that is an address is masked as an address, and nobody finds it by a filter', async () => {
  const external_id = 'external.wilhelmina@example.com'
  const { id } = (await call('POST', '/people', { external_id })).body
  for (const path of ['/people', `/people/${id}`]) {
    expect((await call('GET', path, undefined, viewer)).text).not.toMatch(WORDS)
    expect((await call('GET', path)).text).toContain(external_id)
  }
  const { id: plain } = (await call('POST', '/people', { external_id: 'crm-4711' })).body
  expect((await call('GET', `/people/${plain}`, undefined, viewer)).body.external_id).toBe('crm-4711')
  const filter = { all: [{ field: 'external_id', op: 'starts_with', value: 'external.w' }] }
  const path = `/people?filter=${encodeURIComponent(JSON.stringify(filter))}`
  expect((await call('GET', path, undefined, viewer)).body).toMatchObject({ permission: 'people.manage' })
  expect((await call('GET', path)).body.data).toMatchObject([{ id }])
})

test('only those who send, or who see addresses, ask which of them are suppressed', async () => {
  const body = { channel: 'email', addresses: ['wilhelmina@example.com'] }
  await call('POST', '/suppression', { channel: 'email', address: body.addresses[0], reason: 'manual' })
  for (const token of [viewer, await keyWith([])])
    expect((await call('POST', '/suppression/check', body, token)).status).toBe(403)
  for (const permission of ['dispatch.send', 'people.manage', 'compliance.manage'] as const)
    expect((await call('POST', '/suppression/check', body, await keyWith([permission]))).body.data).toMatchObject([
      { suppressed: true },
    ])
})

test('nobody chooses by a segment of attributes who may not see them, by any way that takes or keeps a filter', async () => {
  const surveyId = await makeLiveSurvey(server, owner)
  const tier = { all: [{ field: 'attribute.tier', op: 'eq', value: 'gold' }] }
  const segment = (await call('POST', '/segments', { name: 'Gold', filter: tier })).body.id
  const filter = { all: [{ field: 'segment_id', op: 'eq', value: segment }] }
  const inPath = encodeURIComponent(JSON.stringify(filter))
  const body = { name: 'Gold', source: 'responses', columns: [{ field: 'person_id' }], filter }
  const template = (await call('POST', '/export-templates', body)).body.id
  const key = await keyWith([
    'adept.use',
    'alerts.manage',
    'dashboards.manage',
    'exports.manage',
    'integrations.manage',
    'responses.manage',
    'segments.manage',
  ])
  const widget = {
    id: 'w',
    kind: 'number',
    title: 'Gold',
    query: { source: 'responses', measure: 'count', filter },
    layout: { x: 0, y: 0, w: 4, h: 3 },
  }
  const refused = { status: 403, body: { code: 'forbidden', permission: 'people.manage' } }
  const ways: Array<[method: string, path: string, body?: object]> = [
    ['GET', `/responses?filter=${inPath}`],
    ['GET', `/verbatim?filter=${inPath}`],
    ['GET', `/verbatim/themes?filter=${inPath}`],
    ['GET', `/surveys/${surveyId}/report?filter=${inPath}`],
    ['GET', `/surveys/${surveyId}/report?compare=${inPath}`],
    ['POST', '/adept/summarize', { filter }],
    ['POST', '/dashboards', { name: 'Gold', widgets: [widget] }],
    ['POST', '/export-runs', { source: 'responses', filter }],
    ['POST', '/export-runs', { source: 'verbatim', filter }],
    ['POST', '/export-runs', { template_id: template }],
    ['POST', '/export-runs/preview', { source: 'responses', filter }],
    ['POST', '/export-runs/preview', { template_id: template }],
    ['POST', '/export-schedules', { template_id: template, cron: '0 * * * *' }],
    ['POST', '/export-templates', body],
    ['PATCH', `/export-templates/${template}`, { name: 'Ours' }],
    ['POST', '/responses/batch', { filter, do: { add_tags: ['x'] } }],
    ['POST', '/responses/batch', { filter, do: { add_tags: ['x'] }, dry_run: true }],
  ]
  for (const [method, path, sent] of ways)
    expect(await call(method, path, sent, key), `${method} ${path} ${JSON.stringify(sent)}`).toMatchObject(refused)
  const board = (await call('POST', '/dashboards', { name: 'Gold', widgets: [widget] })).body.id
  const dataOf = async (query: string, token: string) =>
    (await call('GET', `/dashboards/${board}/data${query}`, undefined, token)).body.widgets.w
  expect(await dataOf('', viewer)).toMatchObject({ n: 0 })
  const ofOne = `?filter=${encodeURIComponent(JSON.stringify({ all: [{ field: 'channel', op: 'eq', value: 'web' }] }))}`
  expect(await dataOf(ofOne, viewer)).toEqual({ error: { code: 'forbidden', permission: 'people.manage' } })
  expect(await dataOf(ofOne, owner.token)).toMatchObject({ n: 0 })
  const run = (await call('POST', '/export-runs', { template_id: template })).body.id
  expect(await call('GET', `/export-runs/${run}`, undefined, key)).toMatchObject(refused)
})

test('a lead shows its notes, company and consent to those who keep leads', async () => {
  const body = {
    email: 'wilhelmina@example.com',
    name: 'Wilhelmina',
    company: 'Analytical Engines',
    consent: { given: true, text: 'agreed by phone' },
  }
  const { id } = (await call('POST', '/leads', body)).body
  expect((await call('POST', `/leads/${id}/notes`, { text: 'She called' })).status).toBe(201)
  for (const path of ['/leads', `/leads/${id}`]) {
    expect((await call('GET', path, undefined, viewer)).text).not.toMatch(WORDS)
    expect((await call('GET', path)).text).toContain('She called')
  }
  const [shown] = (await call('GET', '/leads', undefined, viewer)).body.data
  expect(shown).toMatchObject({ company: null, notes: [], consent: { given: true, text: null } })
})

test('figures of deliveries are for those who list deliveries, in dashboards and in what leaves them', async () => {
  await call('POST', '/webhooks', { url: 'https://8.8.8.8/hooks' })
  await submit(server, await makeLiveSurvey(server, owner), { answers: { q1: 9 } })
  const widgets = ['webhook_deliveries', 'responses'].map((source) => ({
    id: source,
    kind: 'number',
    title: source,
    query: { source, measure: 'count' },
    layout: { x: 0, y: 0, w: 4, h: 3 },
  }))
  const { id } = (await call('POST', '/dashboards', { name: 'Both', widgets })).body
  const error = { code: 'forbidden', permission: 'integrations.manage' }
  const read = async (token: string) => (await call('GET', `/dashboards/${id}/data`, undefined, token)).body.widgets
  expect(await read(viewer)).toEqual({ webhook_deliveries: { error }, responses: expect.objectContaining({ n: 1 }) })
  expect(await read(await keyWith(['integrations.manage']))).toMatchObject({ webhook_deliveries: { n: 1 } })
  const { token } = (await call('POST', `/dashboards/${id}/share`, {})).body
  expect(Object.keys((await server.request('GET', `/public/dashboards/${token}`)).body.widgets)).toEqual(['responses'])
})

test.each([
  ['left', 'maker_left'],
  ['lost reports.manage', 'maker_not_permitted'],
])('a scheduled report whose maker has %s pauses, and a member who resumes it becomes its maker', async (_, reason) => {
  const role = await call('POST', '/roles', { name: `Reporter ${reason}`, permissions: ['reports.manage'] })
  const maker = await createMember(server, owner.token, role.body.id)
  const [dashboard] = (await call('GET', '/dashboards?limit=100')).body.data
  const schedule = { cron: '0 * * * *', timezone: 'UTC' }
  const made = await call('POST', '/reports', { name: 'Hourly', dashboard_id: dashboard.id, schedule }, maker.token)
  expect(made.body).toMatchObject({ maker: maker.userId, paused_reason: null })
  const { id } = made.body
  if (reason === 'maker_left') await call('DELETE', `/members/${maker.userId}`)
  else await call('PATCH', `/roles/${role.body.id}`, { permissions: ['alerts.manage'] })
  const mail = recordEmail(server)
  const nextHour = async () => {
    server.clock.advance(3_600_000)
    await runSweep(server, scheduleSweep)
  }
  await nextHour()
  await nextHour()
  const read = async () => (await call('GET', `/reports/${id}`)).body
  expect(await read()).toMatchObject({ paused_reason: reason, next_run_at: null, enabled: true })
  expect((await call('GET', `/reports/${id}/runs`)).body.data).toEqual([])
  await runSweep(server, sendMailSweep)
  expect(mail.sent.filter(({ text }) => text.includes(id)).map(({ to }) => to)).toEqual([owner.email])
  await call('PATCH', `/reports/${id}`, { enabled: true })
  expect(await read()).toMatchObject({ maker: owner.userId, paused_reason: null, next_run_at: expect.any(String) })
  await nextHour()
  expect((await call('GET', `/reports/${id}/runs`)).body.data).toHaveLength(1)
})
