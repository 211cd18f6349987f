import { expect, test } from 'vitest'
import { cloneDatabase } from '../../src/testing/harness.ts'
import { givenFor } from '../short.ts'
import { runSigterm } from './sigterm.ts'

test(
  'SIGTERM under load cuts no accepted request, says 503 first, and leaves no row claimed',
  { timeout: 120_000 },
  async () => {
    const { url, drop } = await cloneDatabase()
    const { facts, broken } = await runSigterm(givenFor(url), {
      rounds: 2,
      requestsPerSecond: 100,
      warmMs: 500,
      timed: false,
    })
    await drop()
    expect(broken).toEqual([])
    expect(facts['requests answered']).toBeGreaterThan(100)
  },
)
