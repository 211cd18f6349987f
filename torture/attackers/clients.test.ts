import { expect, test } from 'vitest'
import { cloneDatabase } from '../../src/testing/harness.ts'
import { runClients } from './clients.ts'
import { givenFor } from '../short.ts'

test('slow clients and uploads past the limit leave the others served', { timeout: 120_000 }, async () => {
  const { url, drop } = await cloneDatabase()
  const size = {
    slow: 300,
    uploads: 20,
    uploadsPerSecond: 20,
    pipelines: 10,
    requestsPerSecond: 30,
    warmMs: 500,
    phaseMs: 2_000,
    measured: false,
  }
  const { facts, broken } = await runClients(givenFor(url), size)
  await drop()
  expect(broken).toEqual([])
  expect(facts['slow connections, and how many were ended']).toMatch(/^(29|30)\d and /)
})
