import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
// @ts-expect-error it has no types
import S3rver from 's3rver'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLog } from '../../../../platform/config/log.ts'
import { runSweep } from '../../../../testing/fixtures.ts'
import { submit } from '../../../../testing/makers.ts'
import { openExports, type ExportHouse } from './export.fixture.ts'
import { exportDeliveriesSweep, exportRunsSweep } from '../exports.feature.ts'

const MINUTE_MS = 60_000
// Texts that no reader may see: the name of a bucket, a folder, a key of an object, a path, a credential.
const HIDDEN = /hidden|hunter2|S3RVER|exports\/[0-9a-f-]{36}|earshot-exports-|\.unfinished|ENOSPC/

let house: ExportHouse
let folder: string
let bucket: { run(): Promise<AddressInfo>; close(): Promise<void> }
let proxy: Server
/** How the store answers instead of the bucket: a status, or 0 for a cut connection. */
let fault: number | null
const logged: string[] = []
const told: string[] = []

beforeEach(async () => {
  fault = null
  logged.length = 0
  told.length = 0
  folder = await mkdtemp(join(tmpdir(), 'earshot-faults-'))
  bucket = new S3rver({
    port: 0,
    silent: true,
    directory: folder,
    configureBuckets: [{ name: 'hidden-bucket', configs: [] }],
  })
  const { port } = await bucket.run()
  proxy = createServer((request, response) => {
    if (fault === 0) return void request.socket.destroy()
    if (fault !== null) {
      request.resume()
      return void response
        .writeHead(fault, { 'content-type': 'application/xml' })
        .end('<Error><Code>Odd</Code><Message>hidden-bucket refused hunter2</Message></Error>')
    }
    const { method = 'GET', url = '/', headers } = request
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', async () => {
      const { host: _, connection: __, 'content-length': ___, expect: ____, ...rest } = headers
      const answer = await fetch(`http://127.0.0.1:${port}${url}`, {
        method,
        headers: rest as Record<string, string>,
        ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
      })
      response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(Buffer.from(await answer.arrayBuffer()))
    })
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
})
afterEach(async () => {
  vi.restoreAllMocks()
  await house.close()
  await new Promise((closed) => proxy.close(closed))
  await bucket.close()
  await rm(folder, { recursive: true, force: true })
})

async function open(env: Record<string, string> = {}): Promise<void> {
  house = await openExports(undefined, {
    env,
    log: createLog('trace', { write: (line) => void logged.push(line) }),
  })
  for (let n = 0; n < 3; n++) await submit(house.server, house.surveyId, { answers: { q1: n, q3: `text ${n}` } })
}

const endpoint = () => `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
const inBucket = () => ({
  STORAGE: 's3',
  S3_ENDPOINT: endpoint(),
  S3_BUCKET: 'hidden-bucket',
  S3_PREFIX: 'hidden-folder',
  S3_ACCESS_KEY_ID: 'S3RVER',
  S3_SECRET_ACCESS_KEY: 'S3RVER',
  S3_FORCE_PATH_STYLE: 'on',
})

async function ask(path: string) {
  const answer = await house.call('GET', path)
  told.push(answer.text, JSON.stringify([...answer.headers]))
  return answer
}

/** One try of the run, and the wait after it. */
async function tryOnce(): Promise<void> {
  await runSweep(house.server, exportRunsSweep)
  await runSweep(house.server, exportDeliveriesSweep)
  house.server.clock.advance(16 * MINUTE_MS)
}

/** Everything that was answered, logged, staged as an event or kept as an error. */
async function expectNothingTold(id: string): Promise<void> {
  for (const path of ['', '/manifest', '/parts/1', '/parts/9']) await ask(`/v1/export-runs/${id}${path}`)
  for (const path of ['/v1/export-runs', '/v1/audit', '/v1/export-templates']) await ask(path)
  const rows = await house.server.peek<{ text: string }>(
    'select row_to_json(e)::text as text from events e union all select error::text from export_runs where error is not null',
  )
  expect(logged.join()).toContain('a step of an export failed')
  for (const text of [...told, ...logged, ...rows.map((row) => row.text)]) expect(text).not.toMatch(HIDDEN)
}

test.each([
  ['answers 403', 403],
  ['answers 503', 503],
  ['cuts connections', 0],
])('a run waits for a bucket that %s, and ends whole', { timeout: 60_000 }, async (_says, status) => {
  await open(inBucket())
  const id = await house.order({ source: 'responses' })
  fault = status
  for (let n = 0; n < 2; n++) await tryOnce()
  expect((await ask(`/v1/export-runs/${id}`)).body).toMatchObject({ status: 'building', error: null })
  fault = null
  expect(await house.finish(id)).toMatchObject({ status: 'completed', progress: { rows: 3, parts: 1 } })
  await house.download(id)
  // A store that fails while it is read is a problem of the server, in its own words.
  fault = status
  expect((await ask(`/v1/export-runs/${id}/parts/1`)).status).toBeGreaterThanOrEqual(500)
  fault = null
  await expectNothingTold(id)
})

test('a bucket that never comes back fails the run, with a reason and nothing else', { timeout: 60_000 }, async () => {
  await open(inBucket())
  const id = await house.order({ source: 'responses' })
  fault = 403
  for (let n = 0; n < 12; n++) await tryOnce()
  const failed = (await ask(`/v1/export-runs/${id}`)).body
  expect(failed).toMatchObject({ status: 'failed', error: { code: 'storage_unavailable' }, cleanup: null })
  fault = null
  await tryOnce()
  expect((await ask(`/v1/export-runs/${id}`)).body).toMatchObject({ status: 'failed', cleanup: { objects_found: 0 } })
  await expectNothingTold(id)
})

test.each([
  ['answers 403', 403],
  ['answers 503', 503],
  ['cuts connections', 0],
])('a tenant’s bucket that %s fails the run as the destination', { timeout: 60_000 }, async (_says, status) => {
  await open()
  const destination = {
    type: 's3',
    bucket: 'hidden-bucket',
    region: 'us-east-1',
    endpoint: endpoint(),
    prefix: 'hidden-folder',
    access_key_id: 'S3RVER',
    secret_access_key: 'S3RVER',
  }
  const id = await house.order({ source: 'responses', destination })
  fault = status
  for (let n = 0; n < 14; n++) await tryOnce()
  expect((await ask(`/v1/export-runs/${id}`)).body).toMatchObject({
    status: 'failed',
    error: { code: 'destination_failed' },
    cleanup: { objects_found: 0 },
  })
  await expectNothingTold(id)
})

test('a clock that jumps an hour ahead or back loses no run and no part', async () => {
  await open()
  const clock = house.server.clock
  const ids = []
  for (const jumpMs of [60 * MINUTE_MS, -60 * MINUTE_MS]) {
    const id = await house.order({ source: 'responses', format: 'jsonl' })
    ids.push(id)
    const factories = house.server.services.factories
    const { storage } = factories
    vi.spyOn(factories, 'storage').mockImplementation((ports) => {
      const real = storage(ports)
      return {
        ...real,
        async put(key, body, signal) {
          await real.put(key, body, signal)
          vi.restoreAllMocks()
          clock.advance(jumpMs)
          // Another worker looks for work in the middle of the step.
          await runSweep(house.server, exportRunsSweep)
        },
      }
    })
    await runSweep(house.server, exportRunsSweep)
    if (jumpMs < 0) clock.advance(-jumpMs)
    expect(await house.finish(id)).toMatchObject({ status: 'completed', progress: { rows: 3, parts: 1 } })
  }
  for (const id of ids) {
    const lines = String(Buffer.concat(await house.download(id)))
      .trimEnd()
      .split('\n')
    expect(new Set(lines.map((line) => JSON.parse(line).id)).size).toBe(3)
  }
  expect(await house.server.services.factories.storage({} as never).list('exports/')).toHaveLength(2)
})
