import { parse } from 'csv-parse/sync'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { parseId } from '../../../../platform/ids.ts'
import { features } from '../../../../features.ts'
import { runSweep } from '../../../../testing/fixtures.ts'
import { submit } from '../../../../testing/makers.ts'
import { StorageError } from '../../../../platform/ports/storage-port.ts'
import { openExports, type ExportHouse } from './export.fixture.ts'
import { exportRunsSweep } from '../exports.feature.ts'

let house: ExportHouse
let ids: string[]
beforeEach(async () => {
  house = await openExports()
  ids = []
  for (let n = 0; n < 250; n++) ids.push((await say(n % 11, `text ${n}`)).id)
}, 60_000)
afterEach(() => house.close())

const say = (score: number, text: string) => submit(house.server, house.surveyId, { answers: { q1: score, q3: text } })

async function rowsOf(id: string): Promise<Array<Record<string, string>>> {
  return (await house.download(id)).flatMap((part): Array<Record<string, string>> => parse(part, { columns: true }))
}

/** Runs something in the middle of a run: when the next part is stored. */
function atNextPart(work: () => Promise<unknown>): void {
  const { storage } = house.server.services.factories
  const factories = house.server.services.factories
  let isNext = true
  vi.spyOn(factories, 'storage').mockImplementation((ports) => {
    const real = storage(ports)
    return {
      ...real,
      async put(key, body, signal) {
        await real.put(key, body, signal)
        if (!isNext) return
        isNext = false
        vi.restoreAllMocks()
        await work()
      },
    }
  })
}

test('beside 50 writers, a run has the rows of its moment, each once, and two downloads are equal', async () => {
  let isOver = false
  const writers = Array.from({ length: 50 }, async (_, n) => {
    for (let turn = 0; turn < 4 && !isOver; turn++) {
      await say(n % 11, 'later')
      await house.call('POST', `/v1/responses/${ids[n * 4 + turn]}/tags`, { tags: [`t${turn}`] })
    }
  })
  const [before] = await house.server.peek<{ n: number }>('select count(*)::int as n from responses')
  const id = await house.order({ source: 'responses', part_rows: 100, format: 'csv' })
  const run = await house.finish(id)
  isOver = true
  await Promise.all(writers)
  const rows = await rowsOf(id)
  const found = rows.map((row) => row['id'] ?? '')
  expect(new Set(found).size).toBe(found.length)
  expect(found.length).toBe(run.progress.total_rows)
  expect(found.length).toBeGreaterThanOrEqual(before?.n ?? 0)
  for (const each of ids) expect(found).toContain(each)
  expect(run.progress.parts).toBe(Math.ceil(found.length / 100))
  expect(await house.download(id)).toEqual(await house.download(id))
}, 60_000)

test('a response that is deleted meanwhile is gone, also from a part that is built', async () => {
  const id = await house.order({ source: 'responses', survey_id: house.surveyId, part_rows: 100 })
  atNextPart(async () => {
    await house.call('DELETE', `/v1/responses/${ids[0]}`)
    await house.call('DELETE', `/v1/responses/${ids[249]}`)
  })
  expect(await house.finish(id)).toMatchObject({ status: 'completed', progress: { rows: 248, total_rows: 250 } })
  const found = (await rowsOf(id)).map((row) => row['id'])
  expect(found).toEqual(ids.slice(1, 249).toSorted())
  const again = await house.order({ source: 'responses', survey_id: house.surveyId, part_rows: 100 })
  await runSweep(house.server, exportRunsSweep)
  expect((await rowsOf(again)).map((row) => row['id'])).toEqual(found)
})

test('an erasure builds unfinished parts again, and expires finished runs that hold the person', async () => {
  const email = 'wilhelmina@example.com'
  const { id: mine } = await say(9, `Write to ${email}`)
  const other = await house.order({ source: 'verbatim' })
  const held = await house.order({ source: 'responses' })
  await house.finish(held)
  await house.finish(other)
  const unfinished = await house.order({ source: 'responses', part_rows: 100 })
  const requests = features.flatMap(({ sweeps = [] }) => sweeps).find(({ name }) => name === 'data-protection.requests')
  const erase = async () => {
    const { id } = (await house.call('POST', '/v1/gdpr/requests', { kind: 'erasure', subject: { email } })).body
    if (requests) await runSweep(house.server, requests)
    return id
  }
  let requestId = ''
  atNextPart(async () => void (requestId = await erase()))
  expect(await house.finish(unfinished)).toMatchObject({ status: 'completed', progress: { rows: 250 } })
  expect(await house.call('GET', `/v1/export-runs/${held}/parts/1`)).toMatchObject({
    status: 410,
    body: { code: 'export_erased' },
  })
  for (let n = 0; n < 3; n++) await runSweep(house.server, exportRunsSweep)
  expect((await house.call('GET', `/v1/export-runs/${held}`)).body.status).toBe('cleaned')
  expect((await house.call('GET', `/v1/export-runs/${other}`)).body.status).toBe('completed')
  const text = String(Buffer.concat(await house.download(unfinished)))
  expect(text).not.toContain(email)
  expect(text).not.toContain(mine)
  // It waits for the files, and not longer.
  const request = async () => (await house.call('GET', `/v1/gdpr/requests/${requestId}`)).body
  expect(await request()).toMatchObject({ status: 'cleaning', completed_at: null })
  house.server.clock.advance(10_000)
  if (requests) await runSweep(house.server, requests)
  expect(await request()).toMatchObject({ status: 'completed' })
  const { body } = await house.call('GET', `/v1/gdpr/requests/${requestId}/certificate`)
  expect(body.left).toEqual([])
  expect(body.erased).toMatchObject({ responses: 1, exports: 2 })
  expect(body.external).toEqual([{ kind: 'export', target: held, at: '2026-03-02T10:00:00.000Z' }])
})

test('an erasure whose files cannot be removed says so on its certificate when it is due', async () => {
  const email = 'wilhelmina@example.com'
  await say(9, `Write to ${email}`)
  const held = await house.order({ source: 'responses' })
  await house.finish(held)
  const { factories } = house.server.services
  const { storage } = factories
  vi.spyOn(factories, 'storage').mockImplementation((ports) => ({
    ...storage(ports),
    remove: () => Promise.reject(new Error('the store is away')),
  }))
  const { id } = (await house.call('POST', '/v1/gdpr/requests', { kind: 'erasure', subject: { email } })).body
  const requests = features.flatMap(({ sweeps = [] }) => sweeps).find(({ name }) => name === 'data-protection.requests')
  const later = async (ms: number) => {
    house.server.clock.advance(ms)
    await runSweep(house.server, exportRunsSweep)
    if (requests) await runSweep(house.server, requests)
    return house.server.peek<{ status: string; left: object[] }>(
      `select status, certificate -> 'left' as left from privacy_requests where id = $1`,
      [parseId('privacyRequest', id)],
    )
  }
  expect(await later(0)).toEqual([{ status: 'cleaning', left: null }])
  expect(await later(3_600_000)).toEqual([{ status: 'cleaning', left: null }])
  // New exports do not wait for the store, as no row of the person is left.
  expect(await house.finish(await house.order({ source: 'responses' }))).toMatchObject({ status: 'completed' })
  const left = [{ place: 'exports', id: held, reason: 'file_not_removed' }]
  expect(await later(32 * 86_400_000)).toEqual([{ status: 'completed', left }])
})

test('a worker that dies at any part leaves a run that another one ends, with nothing left over', async () => {
  const factories = house.server.services.factories
  const { storage } = factories
  const id = await house.order({ source: 'responses', part_rows: 100, format: 'jsonl' })
  let calls = 0
  for (let round = 0; round < 20; round++) {
    const dies = round % 4
    calls = 0
    vi.spyOn(factories, 'storage').mockImplementation((ports) => {
      const real = storage(ports)
      return {
        ...real,
        async put(key, body, signal) {
          // It dies after it stored the file, and before the file counts.
          if (calls++ === dies) {
            await real.put(key, body, signal)
            await new Promise((_, reject) => reject(new StorageError('unavailable')))
          }
          await real.put(key, body, signal)
        },
      }
    })
    await runSweep(house.server, exportRunsSweep)
    vi.restoreAllMocks()
    house.server.clock.advance(16 * 60_000)
  }
  const run = await house.finish(id)
  expect(run).toMatchObject({ status: 'completed', progress: { rows: 250, parts: 3 } })
  const lines = String(Buffer.concat(await house.download(id)))
    .trimEnd()
    .split('\n')
  expect(new Set(lines.map((line) => JSON.parse(line).id)).size).toBe(250)
  const store = storage({} as never)
  expect(await store.list('exports/')).toHaveLength(3)
})

test('a full store is waited for, and in the end named without its words', async () => {
  const factories = house.server.services.factories
  const { storage } = factories
  vi.spyOn(factories, 'storage').mockImplementation((ports) => ({
    ...storage(ports),
    put: () => Promise.reject(new StorageError('full', new Error('/secret/path: no space'))),
  }))
  const id = await house.order({ source: 'responses' })
  for (let n = 0; n < 14; n++) {
    await runSweep(house.server, exportRunsSweep)
    house.server.clock.advance(16 * 60_000)
  }
  const answer = await house.call('GET', `/v1/export-runs/${id}`)
  expect(answer.body).toMatchObject({
    status: 'failed',
    error: { code: 'storage_full' },
    cleanup: { objects_found: 0 },
  })
  expect(answer.text).not.toContain('secret')
  expect(await house.server.peek(`select type from events where type = 'export.failed'`)).toHaveLength(1)
})

test('a run that is accepted during an erasure is built after it', async () => {
  const email = 'wilhelmina@example.com'
  await say(9, `Write to ${email}`)
  const request = (await house.call('POST', '/v1/gdpr/requests', { kind: 'erasure', subject: { email } })).body
  const id = await house.order({ source: 'responses' })
  for (let waitedMs = 0; waitedMs < 128_000; waitedMs += waitedMs || 2_000) {
    await runSweep(house.server, exportRunsSweep)
    expect((await house.call('GET', `/v1/export-runs/${id}`)).body).toMatchObject({ status: 'queued' })
    const [run] = await house.server.peek<{ next_at: Date; failures: number }>(
      'select next_at, failures from export_runs',
    )
    const waitMs = Math.min(60_000, waitedMs || 2_000)
    expect(run).toEqual({ next_at: new Date(house.server.clock.now().getTime() + waitMs), failures: 0 })
    house.server.clock.advance(waitedMs || 2_000)
  }
  const requests = features.flatMap(({ sweeps = [] }) => sweeps).find(({ name }) => name === 'data-protection.requests')
  if (requests) await runSweep(house.server, requests)
  expect((await house.call('GET', `/v1/gdpr/requests/${request.id}`)).body.status).toBe('completed')
  expect(await house.finish(id)).toMatchObject({ status: 'completed', progress: { rows: 250 } })
  expect(String(Buffer.concat(await house.download(id)))).not.toContain(email)
})

test('a worker that stores a file after its run was cleaned removes it', async () => {
  const { factories } = house.server.services
  const { storage } = factories
  const id = await house.order({ source: 'responses' })
  vi.spyOn(factories, 'storage').mockImplementation((ports) => {
    const real = storage(ports)
    return {
      ...real,
      async put(key, body, signal) {
        vi.restoreAllMocks()
        await house.call('POST', `/v1/export-runs/${id}/cancel`)
        house.server.clock.advance(61_000)
        await runSweep(house.server, exportRunsSweep)
        expect((await house.call('GET', `/v1/export-runs/${id}`)).body).toMatchObject({ status: 'cancelled' })
        await real.put(key, body, signal)
        expect(await real.list('exports/')).toHaveLength(1)
      },
    }
  })
  await runSweep(house.server, exportRunsSweep)
  expect(await storage({} as never).list('exports/')).toEqual([])
})
