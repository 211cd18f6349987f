import { mkdtemp, rm, writeFile, mkdir } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
// @ts-expect-error it has no types
import S3rver from 's3rver'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseConfig } from '../../platform/config/config.ts'
import type { StoragePort } from '../../platform/ports/storage-port.ts'
import { createOutboundHttp } from '../outbound-http/outbound-http.ts'
import { createBuckets, createStorage } from './storage.ts'

const MIB = 1024 * 1024
let folder: string
let bucket: { run(): Promise<AddressInfo>; close(): Promise<void> }
let port: number

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'earshot-storage-'))
  bucket = new S3rver({
    port: 0,
    silent: true,
    directory: join(folder, 's3'),
    configureBuckets: [{ name: 'exports', configs: [] }],
  })
  port = (await bucket.run()).port
})
afterAll(async () => {
  await bucket.close()
  await rm(folder, { recursive: true, force: true })
})

function s3At(endpoint: string, secret = 'S3RVER'): StoragePort {
  return createStorage(
    parseConfig({
      STORAGE: 's3',
      S3_ENDPOINT: endpoint,
      S3_BUCKET: 'exports',
      S3_PREFIX: 'earshot',
      S3_ACCESS_KEY_ID: 'S3RVER',
      S3_SECRET_ACCESS_KEY: secret,
      S3_FORCE_PATH_STYLE: 'on',
    }),
  )
}

const STORES: Record<string, () => StoragePort> = {
  filesystem: () => createStorage(parseConfig({ DATA_DIR: folder })),
  s3: () => s3At(`http://127.0.0.1:${port}`),
}

async function* body(...chunks: Buffer[]) {
  yield* chunks
}

async function bytesOf(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all = []
  for await (const chunk of chunks) all.push(chunk)
  return Buffer.concat(all)
}

describe.each(Object.keys(STORES))('%s', (name) => {
  test('an object is read back whole and in parts, listed, and removed', async () => {
    const store = STORES[name]?.() as StoragePort
    await store.put('exports/t/r/1-a', body(Buffer.from('hello '), Buffer.from('world')))
    await store.put('exports/t/other/1-a', body())
    expect(String(await bytesOf(await store.read('exports/t/r/1-a', { from: 0, until: 11 })))).toBe('hello world')
    expect(String(await bytesOf(await store.read('exports/t/r/1-a', { from: 6, until: 8 })))).toBe('wo')
    expect(await store.list('exports/t/r/')).toEqual(['exports/t/r/1-a'])
    await store.remove(['exports/t/r/1-a', 'exports/t/r/none'])
    expect(await store.list('exports/t/r/')).toEqual([])
    expect(await store.list('exports/t/other/')).toEqual(['exports/t/other/1-a'])
    await expect(store.read('exports/t/r/1-a', { from: 0, until: 1 })).rejects.toMatchObject({ reason: 'missing' })
  })

  test('a large object comes in pieces', { timeout: 30_000 }, async () => {
    const store = STORES[name]?.() as StoragePort
    const pieces = Array.from({ length: 20 }, (_, n) => Buffer.alloc(MIB, n))
    await store.put('large', body(...pieces))
    expect((await bytesOf(await store.read('large', { from: 0, until: 20 * MIB }))).equals(Buffer.concat(pieces))).toBe(
      true,
    )
  })

  test('a body that fails leaves nothing, and its error is its own', async () => {
    const store = STORES[name]?.() as StoragePort
    async function* failing() {
      for (let n = 0; n < 10; n++) yield Buffer.alloc(MIB)
      throw new RangeError('the lease was lost')
    }
    await expect(store.put('failing/1', failing())).rejects.toThrow(RangeError)
    expect(await store.list('failing/')).toEqual([])
  })
})

test('an unfinished file of a killed process is listed and removed', async () => {
  const store = createStorage(parseConfig({ DATA_DIR: folder }))
  await mkdir(join(folder, 'objects/killed'), { recursive: true })
  await writeFile(join(folder, 'objects/killed/1.unfinished-x'), 'half')
  expect(await store.list('killed/')).toEqual(['killed/1.unfinished-x'])
  await store.remove(await store.list('killed/'))
  expect(await store.list('killed/')).toEqual([])
})

describe('a bucket that', () => {
  let server: Server
  let answer: (status: number) => void
  let endpoint: string
  beforeAll(async () => {
    let status = 200
    answer = (next) => void (status = next)
    server = createServer((request, response) => {
      request.resume()
      if (status === 0) return void request.socket.destroy()
      response.writeHead(status, { 'content-type': 'application/xml' }).end('<Error><Code>Odd</Code></Error>')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(() => void server.close())

  test.each([
    ['answers 403', 403, 'denied'],
    ['answers 503', 503, 'unavailable'],
    ['cuts the connection', 0, 'unavailable'],
  ])('%s is explained without its words', { timeout: 20_000 }, async (_says, status, reason) => {
    answer(status)
    const error: Error = await s3At(endpoint, 'hunter2-secret')
      .put('a', body(Buffer.from('b')))
      .then(
        () => expect.fail('it stored'),
        (each) => each,
      )
    expect(error).toMatchObject({ name: 'StorageError', reason, message: `the object store failed: ${reason}` })
  })
})

test('a tenant’s bucket is reached only at addresses that tenants may reach', async () => {
  const named = { bucket: 'exports', region: 'us-east-1', access_key_id: 'S3RVER', secret_access_key: 'S3RVER' }
  const target = { ...named, endpoint: `http://127.0.0.1:${port}` }
  const open = createOutboundHttp({ allowCidrs: ['127.0.0.0/8'] })
  const store = createBuckets(open.agent).open(target)
  await store.put('tenant/1', body(Buffer.from('x')))
  expect(await store.list('tenant/')).toEqual(['tenant/1'])
  await open.close()
  const closed = createOutboundHttp({ allowCidrs: [] })
  await expect(createBuckets(closed.agent).open(target).put('tenant/2', body())).rejects.toMatchObject({
    reason: 'blocked',
  })
  await closed.close()
})

test.each([
  ['whole', 1],
  ['whole, although the library would ask first', 3],
  ['in pieces', 20],
])('a tenant’s bucket takes a file %s, of %i MiB', { timeout: 30_000 }, async (_how, mib) => {
  const named = { bucket: 'exports', region: 'us-east-1', access_key_id: 'S3RVER', secret_access_key: 'S3RVER' }
  const outbound = createOutboundHttp({ allowCidrs: ['127.0.0.0/8'] })
  const store = createBuckets(outbound.agent).open({ ...named, endpoint: `http://127.0.0.1:${port}` })
  const pieces = Array.from({ length: mib }, (_, n) => Buffer.alloc(MIB, n))
  await store.put(`earshot/tenant-${mib}`, body(...pieces))
  const found = await s3At(`http://127.0.0.1:${port}`).read(`tenant-${mib}`, { from: 0, until: mib * MIB })
  expect((await bytesOf(found)).equals(Buffer.concat(pieces))).toBe(true)
  await outbound.close()
})
