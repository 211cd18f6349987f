import { expect, test } from 'vitest'
import { cloneDatabase } from '../src/testing/harness.ts'
import { runExports } from './exports.ts'
import { givenFor } from './short.ts'

test('SIGKILLs in the phases of exports leave each run whole', { timeout: 120_000 }, async () => {
  const { url, drop } = await cloneDatabase()
  const { facts, broken } = await runExports(givenFor(url), { stores: ['filesystem'], kills: 5, runs: 4, rows: 400 })
  await drop()
  expect(broken).toEqual([])
  expect(facts['filesystem: runs']).toBe(20)
})
