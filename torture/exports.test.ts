import { expect, test } from 'vitest'
import { cloneDatabase } from '../src/testing/harness.ts'
import { runExports } from './exports.ts'
import { givenFor } from './short.ts'

test('20 SIGKILLs in the phases of exports leave each run whole', { timeout: 300_000 }, async () => {
  const { url, drop } = await cloneDatabase()
  const { facts, broken } = await runExports(givenFor(url), { stores: ['filesystem'], kills: 20, runs: 2, rows: 400 })
  await drop()
  expect(broken).toEqual([])
  expect(facts['filesystem: runs']).toBe(40)
})
