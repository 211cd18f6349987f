import { expect, test } from 'vitest'
import { cloneDatabase } from '../../src/testing/harness.ts'
import { runKills } from './kills.ts'
import { givenFor } from '../short.ts'

test(
  'SIGKILLs of workers and API processes lose nothing, and repeat only what was in flight',
  { timeout: 120_000 },
  async () => {
    const { url, drop } = await cloneDatabase()
    const { facts, broken } = await runKills(givenFor(url), {
      kills: 5,
      everyMs: 800,
      deliveriesPerSecond: 100,
      endLeases: true,
    })
    await drop()
    expect(broken).toEqual([])
    expect(facts).toMatchObject({ kills: '3 of workers, 0 of API processes, 2 of processes that are both' })
    expect(facts['deliveries']).toBeGreaterThan(50)
  },
)
