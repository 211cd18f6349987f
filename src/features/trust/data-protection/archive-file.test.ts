import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { inflateRawSync } from 'node:zlib'
import { expect, test } from 'vitest'
import type { About, Stores } from './archive-document.ts'
import { zipArchive } from './archive-file.ts'

const ABOUT: About = {
  version: 1,
  request_id: `gdr_${'0'.repeat(26)}`,
  kind: 'access',
  workspace: 'Acme',
  created_at: '2026-03-02T10:00:00.000Z',
  addresses: [],
}
const RECORDS = 40

test('the records of an archive are read only as far as a reader that stops has room', async () => {
  const long = (n: number) => createHash('shake256', { outputLength: 80_000 }).update(`${n}`).digest('hex')
  let read = 0
  const stores: Stores = new Map([
    [
      'responses',
      async function* records() {
        for (let n = 0; n < RECORDS; n++, read++) yield { id: `rsp_${n}`, text: long(n) }
      },
    ],
    ['leads', async function* records() {}],
  ])
  const archive = zipArchive(ABOUT, stores)
  const pieces: Buffer[] = []
  const take = async () => {
    const { value, done } = await archive.next()
    if (value) pieces.push(value)
    return done !== true
  }
  await take()
  for (let turn = 0; turn < 5_000; turn++) await setImmediate()
  expect(read).toBeLessThanOrEqual(8)
  while (await take());
  expect(read).toBe(2 * RECORDS)
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(256 * 1024)
  const zip = Buffer.concat(pieces)
  const json = zip.indexOf('archive.json') + 'archive.json'.length
  const document = JSON.parse(inflateRawSync(zip.subarray(json), { finishFlush: 2 }).toString())
  expect(Object.keys(document.stores)).toEqual(['responses'])
  expect(document.stores.responses.map(({ id }: { id: string }) => id)).toEqual(
    Array.from({ length: RECORDS }, (_, n) => `rsp_${n}`),
  )
})

test('an archive whose records cannot be read ends with their error', async () => {
  const stores: Stores = new Map([
    [
      'responses',
      async function* records() {
        yield { id: 'rsp_1' }
        throw new Error('gone')
      },
    ],
  ])
  const write = async () => {
    for await (const piece of zipArchive(ABOUT, stores)) void piece
  }
  await expect(write()).rejects.toThrow('gone')
})
