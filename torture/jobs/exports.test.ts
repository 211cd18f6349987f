import { expect, test } from 'vitest'
import { cloneDatabase } from '../../src/testing/harness.ts'
import { runExports } from './exports.ts'
import { givenFor } from '../short.ts'

test('6 SIGKILLs on each store, one in each phase of exports, leave each run whole', { timeout: 300_000 }, async () => {
  const { url, drop } = await cloneDatabase()
  const size = { stores: ['filesystem', 's3'] as const, kills: 6, runs: 2, rows: 400 }
  const { facts, broken } = await runExports(givenFor(url), size)
  await drop()
  expect(broken).toEqual([])
  expect([facts['filesystem: runs'], facts['s3: runs']]).toEqual([12, 12])
})
