import { expect, test } from 'vitest'
import { cloneDatabase } from '../../src/testing/harness.ts'
import { runRateLimit } from './rate-limit.ts'
import { givenFor } from '../short.ts'

test('50 callers of two processes share the 600 requests of their key', { timeout: 120_000 }, async () => {
  const { url, drop } = await cloneDatabase()
  const { facts, broken } = await runRateLimit(givenFor(url), { callers: 50, windows: 1 })
  await drop()
  expect(broken).toEqual([])
  expect(facts).toMatchObject({ 'let through': '600' })
})
