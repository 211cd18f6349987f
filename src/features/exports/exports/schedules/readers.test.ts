import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApiKey, createMember, runSweep, type TestMember } from '../../../../testing/fixtures.ts'
import { submit } from '../../../../testing/makers.ts'
import { recordEmail } from '../../../../testing/recording-email.ts'
import type { Permission } from '../../../../platform/permissions.ts'
import { sendMailSweep } from '../../../access/mail/mail.feature.ts'
import { openExports, type ExportHouse } from '../runs/export.fixture.ts'
import { exportSchedulesSweep } from '../exports.feature.ts'

let house: ExportHouse
/** They hold exports.manage and nothing else. */
let exporter: TestMember
beforeAll(async () => {
  house = await openExports()
  exporter = await memberWith(['exports.manage'])
  const person = { email: 'wilhelmina@example.com', name: 'Wilhelmina', attributes: { plan: 'pro' } }
  for (const path of ['people', 'leads'])
    await house.call('POST', `/v1/${path}`, path === 'people' ? person : { email: person.email, name: person.name })
  await submit(house.server, house.surveyId, { answers: { q1: 9 } })
})
afterAll(() => house.close())

let roles = 0
async function memberWith(permissions: Permission[]): Promise<TestMember> {
  const role = await house.call('POST', '/v1/roles', { name: `Role ${(roles += 1)}`, permissions })
  return createMember(house.server, house.workspace.token, role.body.id)
}

const as = (token: string) => (method: string, path: string, body?: unknown) =>
  house.server.request(method, path, { token, body })
const refused = (permission: string) => ({ status: 403, body: { code: 'forbidden', permission } })

async function template(more: object = {}, token = house.workspace.token): Promise<string> {
  const made = await as(token)('POST', '/v1/export-templates', { name: 'T', source: 'responses', ...more })
  expect(made.status, made.text).toBe(201)
  return made.body.id
}

async function schedule(templateId: string, token = house.workspace.token): Promise<string> {
  const made = await as(token)('POST', '/v1/export-schedules', { template_id: templateId, cron: '0 * * * *' })
  expect(made.status, made.text).toBe(201)
  return made.body.id
}

async function nextHour(): Promise<void> {
  house.server.clock.advance(3_600_000)
  await runSweep(house.server, exportSchedulesSweep)
}

const read = async (id: string) => (await house.call('GET', `/v1/export-schedules/${id}`)).body

test.each([
  ['audit', 'audit.read'],
  ['webhook_deliveries', 'integrations.manage'],
])('an export of %s takes the permission of its list, at every step', async (source, permission) => {
  const call = as(exporter.token)
  expect(await call('POST', '/v1/export-runs', { source })).toMatchObject(refused(permission))
  expect(await call('POST', '/v1/export-templates', { name: 'T', source })).toMatchObject(refused(permission))
  const ours = await template({ source })
  expect(await call('POST', '/v1/export-runs', { template_id: ours })).toMatchObject(refused(permission))
  expect(await call('PATCH', `/v1/export-templates/${ours}`, { name: 'Mine' })).toMatchObject(refused(permission))
  expect(await call('DELETE', `/v1/export-templates/${ours}`)).toMatchObject(refused(permission))
  const timed = { template_id: ours, cron: '0 * * * *' }
  expect(await call('POST', '/v1/export-schedules', timed)).toMatchObject(refused(permission))
  const id = await house.order({ template_id: ours })
  await house.finish(id)
  for (const path of ['', '/manifest', '/parts/1'])
    expect(await call('GET', `/v1/export-runs/${id}${path}`)).toMatchObject(refused(permission))
  expect(await call('POST', `/v1/export-runs/${id}/cancel`)).toMatchObject(refused(permission))
  expect((await call('GET', '/v1/export-runs')).body.data.map((run: { id: string }) => run.id)).not.toContain(id)
  expect((await house.call('GET', '/v1/export-runs')).body.data[0].id).toBe(id)
})

test.each([
  ['people', 'people.manage'],
  ['leads', 'leads.manage'],
])('a run that shows %s unmasked is for those who see them so', async (source, permission) => {
  const ours = await template({ source, format: 'jsonl' })
  const shown = await house.order({ template_id: ours })
  await house.finish(shown)
  expect(String(await house.download(shown))).toContain('wilhelmina@example.com')
  const call = as(exporter.token)
  for (const path of ['', '/manifest', '/parts/1'])
    expect(await call('GET', `/v1/export-runs/${shown}${path}`)).toMatchObject(refused(permission))
  const masked = (await call('POST', '/v1/export-runs', { template_id: ours })).body.id
  await house.finish(masked)
  const part = await call('GET', `/v1/export-runs/${masked}/parts/1`)
  expect(part.text).toContain('w***@example.com')
  expect(part.text).not.toContain('wilhelmina@example.com')
})

test('an export by an attribute is for those who see attributes', async () => {
  const filter = { all: [{ field: 'attribute.plan', op: 'eq', value: 'pro' }] }
  const call = as(exporter.token)
  expect(await call('POST', '/v1/export-runs', { source: 'people', filter })).toMatchObject(refused('people.manage'))
  const ours = await template({ source: 'people', filter })
  expect(await call('POST', '/v1/export-runs', { template_id: ours })).toMatchObject(refused('people.manage'))
})

test.each([
  ['people', 'attribute.plan', 'platinum'],
  ['audit', 'action', 'lead.export'],
  ['webhook_deliveries', 'event', 'lead.created'],
])('a template over %s shows what its filter tests to those who may read that', async (source, field, value) => {
  const filter = { all: [{ field, op: 'eq', value }] }
  const id = await template({ source, filter })
  expect((await house.call('GET', `/v1/export-templates/${id}`)).body.filter).toEqual(filter)
  const call = as(exporter.token)
  const masked = { all: [{ field, op: 'eq', value: '***' }] }
  expect((await call('GET', `/v1/export-templates/${id}`)).body.filter).toEqual(masked)
  expect((await call('GET', '/v1/export-templates')).text).not.toContain(value)
})

test('a schedule acts as its maker at that moment, and masks once they may not see', async () => {
  const maker = await memberWith(['exports.manage', 'people.manage'])
  const id = await schedule(await template({ source: 'people', format: 'jsonl' }), maker.token)
  await nextHour()
  const first = (await read(id)).last_run_id
  await house.finish(first)
  const weaker = await house.call('POST', '/v1/roles', { name: 'Weaker', permissions: ['exports.manage'] })
  await house.call('PATCH', `/v1/members/${maker.userId}`, { role_id: weaker.body.id })
  await nextHour()
  const second = (await read(id)).last_run_id
  await house.finish(second)
  expect(String(await house.download(first))).toContain('wilhelmina@example.com')
  expect(String(await house.download(second))).not.toContain('wilhelmina@example.com')
  await house.call('DELETE', `/v1/export-schedules/${id}`)
})

test('a schedule whose maker has left pauses, and those who can mend it get a mail once', async () => {
  const maker = await memberWith(['exports.manage', 'audit.read'])
  const id = await schedule(await template({ source: 'audit' }), maker.token)
  expect(await read(id)).toMatchObject({ maker: maker.userId, paused_reason: null })
  await house.call('DELETE', `/v1/members/${maker.userId}`)
  const mail = recordEmail(house.server)
  await nextHour()
  await nextHour()
  expect(await read(id)).toMatchObject({ paused_reason: 'maker_left', next_run_at: null, last_run_id: null })
  await runSweep(house.server, sendMailSweep)
  const told = mail.sent.filter(({ text }) => text.includes(id)).map(({ to }) => to)
  expect(told).toEqual(expect.arrayContaining([house.workspace.email, exporter.email]))
  expect(told).toHaveLength(new Set(told).size)
  expect(told).not.toContain(maker.email)
  const [entry] = (await house.call('GET', `/v1/audit?target=${id}&action=export_schedule.pause`)).body.data
  expect(entry.changes).toContainEqual({ path: 'paused_reason', from: null, to: 'maker_left' })

  const call = as(exporter.token)
  expect(await call('PATCH', `/v1/export-schedules/${id}`, { enabled: true })).toMatchObject(refused('audit.read'))
  expect((await house.call('PATCH', `/v1/export-schedules/${id}`, { enabled: true })).body).toMatchObject({
    maker: house.workspace.userId,
    paused_reason: null,
    next_run_at: expect.any(String),
  })
  await nextHour()
  expect((await read(id)).last_run_id).not.toBeNull()
  expect((await call('PATCH', `/v1/export-schedules/${id}`, { enabled: false })).body).toMatchObject({
    maker: house.workspace.userId,
    next_run_at: null,
  })
})

test.each<[string, Permission[], string]>([
  ['exports', ['audit.read'], 'exports.manage'],
  ['the rows', ['exports.manage'], 'audit.read'],
])('a schedule whose maker may no longer have %s pauses', async (_what, left) => {
  const maker = await memberWith(['exports.manage', 'audit.read'])
  const id = await schedule(await template({ source: 'audit' }), maker.token)
  const role = await house.call('POST', '/v1/roles', { name: `Less ${left}`, permissions: left })
  await house.call('PATCH', `/v1/members/${maker.userId}`, { role_id: role.body.id })
  await nextHour()
  expect(await read(id)).toMatchObject({ paused_reason: 'maker_not_permitted', last_run_id: null })
})

test('a schedule of a key acts with what the key may do, and pauses when the key is gone', async () => {
  const { key, id: keyId } = await createApiKey(house.server, house.workspace.token, [
    'exports.manage',
    'people.manage',
  ])
  const id = await schedule(await template({ source: 'people' }), key)
  expect((await read(id)).maker).toBe(keyId)
  await nextHour()
  expect((await read(id)).last_run_id).not.toBeNull()
  await house.call('DELETE', `/v1/api-keys/${keyId}`)
  await nextHour()
  expect((await read(id)).paused_reason).toBe('maker_left')
})

test('a mail about an export goes to those who may read it', async () => {
  const mail = recordEmail(house.server)
  const destination = { type: 'email', recipients: [house.workspace.userId, exporter.userId] }
  await house.finish(await house.order({ source: 'audit', destination }))
  await runSweep(house.server, sendMailSweep)
  const told = mail.sent.filter(({ subject }) => subject === 'Your export is ready')
  expect(told.map(({ to }) => to)).toEqual([house.workspace.email])
})
