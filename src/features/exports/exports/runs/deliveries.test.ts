import { createHash } from 'node:crypto'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { features } from '../../../../features.ts'
import type { Permission } from '../../../../platform/permissions.ts'
import { StorageError } from '../../../../platform/ports/storage-port.ts'
import { createApiKey, createMember, runSweep } from '../../../../testing/fixtures.ts'
import { exportDeliveriesSweep, exportRunsSweep, exportSchedulesSweep } from '../exports.feature.ts'
import { openExports, type ExportHouse } from './export.fixture.ts'

const EMAIL = 'wilhelmina@example.com'
const TARGET = {
  type: 's3',
  bucket: 'a-bucket',
  region: 'us-east-1',
  endpoint: 'http://127.0.0.1:9',
  prefix: 'ours',
  access_key_id: 'a',
  secret_access_key: 'b',
}
const ORDER = { source: 'people', format: 'jsonl', part_rows: 100, destination: TARGET }

let house: ExportHouse
/** The files in the bucket of the workspace, by key. */
let files: Map<string, Buffer>
/** The keys of files whose writes began, without the one with which a target is tried. */
let puts: string[]
/** Runs when a file has arrived, before it is stored. */
let onArrival: ((key: string) => Promise<unknown>) | null
/** Runs before the first byte of a file. */
let onBegin: (() => Promise<unknown>) | null
let mayRemove: boolean

beforeEach(async () => {
  house = await openExports()
  files = new Map()
  puts = []
  onArrival = null
  onBegin = null
  mayRemove = true
  vi.spyOn(house.server.services.factories, 'buckets').mockImplementation(() => ({
    open: () => ({
      async put(key, body) {
        if (key.includes('earshot-can-write')) return
        puts.push(key)
        await onBegin?.()
        const chunks = []
        for await (const chunk of body) chunks.push(chunk)
        await onArrival?.(key)
        files.set(key, Buffer.concat(chunks))
      },
      async remove(keys) {
        if (!mayRemove) throw new StorageError('denied')
        for (const key of keys) files.delete(key)
      },
      read: () => expect.fail('nothing is read'),
      list: () => expect.fail('nothing is listed'),
    }),
  }))
})
afterEach(async () => {
  vi.restoreAllMocks()
  await house.close()
})

const statusOf = async (id: string) => (await house.call('GET', `/v1/export-runs/${id}`)).body
const sweepRequests = async () => {
  const sweep = features.flatMap(({ sweeps = [] }) => sweeps).find(({ name }) => name === 'data-protection.requests')
  return sweep ? runSweep(house.server, sweep) : expect.fail('there is no such sweep')
}

async function addPeople(count: number): Promise<void> {
  const rows = Array.from({ length: count }, (_, n) => ({ email: `p${n}@example.com` }))
  const answer = await house.call('POST', '/v1/people/import', { rows: [...rows, { email: EMAIL }] })
  expect(answer.status, answer.text).toBe(200)
}

async function erase(): Promise<string> {
  const asked = { kind: 'erasure', subject: { email: EMAIL } }
  const { body } = await house.call('POST', '/v1/gdpr/requests', asked)
  await sweepRequests()
  return body.id
}

async function externalOf(requestId: string): Promise<unknown> {
  house.server.clock.advance(10_000)
  await sweepRequests()
  return (await house.call('GET', `/v1/gdpr/requests/${requestId}/certificate`)).body.external
}

/** The files of a delivery, by its manifest. */
function delivered(manifestKey: string): string {
  const { parts } = JSON.parse(String(files.get(manifestKey)))
  const texts = parts.map(({ name, sha256 }: { name: string; sha256: string }) => {
    const file = files.get(manifestKey.replace('manifest.json', name)) ?? expect.fail(`${name} is missing`)
    expect(createHash('sha256').update(file).digest('hex')).toBe(sha256)
    return String(file)
  })
  return texts.join('')
}

test.each([
  ['removed, and named', true],
  ['left where the key may only write, and named', false],
])('a write that outlives an erasure changes no file of the new delivery: it is %s', async (_what, isAllowed) => {
  await addPeople(100)
  const id = await house.order(ORDER)
  await runSweep(house.server, exportRunsSweep)
  mayRemove = isAllowed
  let requestId = ''
  onArrival = async (key) => {
    if (!key.endsWith('people-00002.jsonl')) return
    onArrival = null
    requestId = await erase()
    // Another worker builds and delivers while the bucket still writes.
    expect(await house.finish(id)).toMatchObject({ status: 'completed', progress: { rows: 100 } })
    expect([...files.keys()].some((each) => each.startsWith(`ours/${id}/`))).toBe(!isAllowed)
  }
  await runSweep(house.server, exportDeliveriesSweep)
  const names = ['manifest.json', 'people-00001.jsonl', 'people-00002.jsonl'].map((name) => `ours/${id}-2/${name}`)
  const old = ['people-00001.jsonl', 'people-00002.jsonl'].map((name) => `ours/${id}/${name}`)
  expect([...files.keys()].toSorted()).toEqual([...names, ...(isAllowed ? [] : old)])
  const text = delivered(`ours/${id}-2/manifest.json`)
  expect(text).toContain('p0@example.com')
  expect(text).not.toContain(EMAIL)
  expect(await externalOf(requestId)).toEqual([{ kind: 's3', target: id, at: expect.any(String) }])
})

test('a delivery that began and brought nothing across yet is named', async () => {
  await addPeople(1)
  const id = await house.order(ORDER)
  await runSweep(house.server, exportRunsSweep)
  // As a worker that is killed after it wrote down that it begins.
  onBegin = () => Promise.reject(new StorageError('unavailable'))
  await runSweep(house.server, exportDeliveriesSweep)
  onBegin = null
  expect((await statusOf(id)).status).toBe('delivering')
  const requestId = await erase()
  expect(await house.finish(id)).toMatchObject({ status: 'completed', progress: { rows: 1 } })
  expect(await externalOf(requestId)).toEqual([{ kind: 's3', target: id, at: '2026-03-02T10:00:00.000Z' }])
})

test('a delivery that begins while its rows are erased is named', async () => {
  await addPeople(1)
  const id = await house.order(ORDER)
  await runSweep(house.server, exportRunsSweep)
  const waiting = () =>
    house.server.peek(`select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`)
  const [erasing] = await house.server.services.database.asOwner(async (owner) => {
    await owner.script('begin')
    await owner.query('select 1 from export_runs for update')
    const request = erase()
    await expect.poll(waiting).toHaveLength(1)
    await owner.query(`update export_runs set delivery_began_at = '2026-03-02T10:00:00Z'`)
    await owner.script('commit')
    return [request]
  })
  const requestId = await erasing
  await house.finish(id)
  expect(await externalOf(requestId)).toEqual([{ kind: 's3', target: id, at: '2026-03-02T10:00:00.000Z' }])
})

test('a delivery goes on under the same names when its worker died', async () => {
  await addPeople(100)
  const id = await house.order(ORDER)
  await runSweep(house.server, exportRunsSweep)
  onArrival = async (key) => {
    if (key.endsWith('people-00002.jsonl')) throw new StorageError('unavailable')
  }
  await runSweep(house.server, exportDeliveriesSweep)
  onArrival = null
  house.server.clock.advance(16 * 60_000)
  expect(await house.finish(id)).toMatchObject({ status: 'completed' })
  expect(puts.map((key) => key.replace(`ours/${id}/`, ''))).toEqual([
    'people-00001.jsonl',
    'people-00002.jsonl',
    'people-00002.jsonl',
    'manifest.json',
  ])
  expect(delivered(`ours/${id}/manifest.json`)).toContain(EMAIL)
})

let roles = 0
async function memberWith(permissions: Permission[]) {
  const role = await house.call('POST', '/v1/roles', { name: `Role ${(roles += 1)}`, permissions })
  return createMember(house.server, house.workspace.token, role.body.id)
}

async function orderAs(token: string, order: object = ORDER): Promise<string> {
  const answer = await house.server.request('POST', '/v1/export-runs', { token, body: order })
  expect(answer.status, answer.text).toBe(202)
  return answer.body.id
}

/** The run has failed for this reason, and the server keeps none of its files. */
async function expectFailed(id: string, code: string): Promise<void> {
  for (const sweep of [exportRunsSweep, exportDeliveriesSweep, exportRunsSweep]) await runSweep(house.server, sweep)
  expect(await statusOf(id)).toMatchObject({
    status: 'failed',
    error: { code },
    cleanup: { objects_found: 0 },
  })
  expect(await house.server.services.factories.storage({} as never).list('exports/')).toEqual([])
  expect(await house.server.peek(`select type from events where type = 'export.failed'`)).toHaveLength(1)
}

const leave = (userId: string) => house.call('DELETE', `/v1/members/${userId}`)

test.each([
  ['before it is built', false],
  ['before it is delivered', true],
])('a run whose maker left %s reads and delivers nothing more', async (_when, isBuilt) => {
  await addPeople(1)
  const maker = await memberWith(['exports.manage', 'people.manage'])
  const id = await orderAs(maker.token)
  if (isBuilt) await runSweep(house.server, exportRunsSweep)
  expect((await leave(maker.userId)).status).toBe(204)
  await expectFailed(id, 'maker_left')
  expect(puts).toEqual([])
})

test('a run whose maker leaves amid a file delivers no more of it', async () => {
  await addPeople(1)
  const maker = await memberWith(['exports.manage', 'people.manage'])
  const id = await orderAs(maker.token)
  onBegin = async () => {
    await leave(maker.userId)
    house.server.clock.advance(10_000)
  }
  await runSweep(house.server, exportRunsSweep)
  await runSweep(house.server, exportDeliveriesSweep)
  await expectFailed(id, 'maker_left')
  expect(files.size).toBe(0)
})

test('a run whose maker may no longer see what it shows fails', async () => {
  await addPeople(1)
  const maker = await memberWith(['exports.manage', 'people.manage'])
  const id = await orderAs(maker.token)
  await runSweep(house.server, exportRunsSweep)
  const weaker = await house.call('POST', '/v1/roles', { name: 'Weaker', permissions: ['exports.manage'] })
  await house.call('PATCH', `/v1/members/${maker.userId}`, { role_id: weaker.body.id })
  await expectFailed(id, 'maker_not_permitted')
  expect(puts).toEqual([])
})

test('a run of a key that was revoked fails', async () => {
  await addPeople(1)
  const { key, id: keyId } = await createApiKey(house.server, house.workspace.token, ['exports.manage'])
  const id = await orderAs(key, { source: 'people', format: 'jsonl' })
  await house.call('DELETE', `/v1/api-keys/${keyId}`)
  await expectFailed(id, 'maker_left')
})

test('a run of a schedule acts as the maker of the schedule, also after it began', async () => {
  await addPeople(1)
  const maker = await memberWith(['exports.manage', 'people.manage'])
  const as = (path: string, body: object) => house.server.request('POST', path, { token: maker.token, body })
  const template = await as('/v1/export-templates', { name: 'T', ...ORDER })
  const schedule = await as('/v1/export-schedules', { template_id: template.body.id, cron: '0 * * * *' })
  house.server.clock.advance(3_600_000)
  await runSweep(house.server, exportSchedulesSweep)
  const id = (await house.call('GET', `/v1/export-schedules/${schedule.body.id}`)).body.last_run_id
  expect(await statusOf(id)).toMatchObject({ status: 'queued', created_by: null })
  await leave(maker.userId)
  await expectFailed(id, 'maker_left')
  expect(puts).toEqual([])
})
