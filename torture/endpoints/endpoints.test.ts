import { platform } from 'node:os'
import { expect, test } from 'vitest'
import { cloneDatabase } from '../../src/testing/harness.ts'
import { runEndpoints } from './endpoints.ts'
import { givenFor } from '../short.ts'

// Other systems have no second loopback address unless somebody adds one.
test.skipIf(platform() !== 'linux')(
  'hostile endpoints and names cost their own deliveries only, and nothing private is dialled',
  { timeout: 120_000 },
  async () => {
    const { url, drop } = await cloneDatabase()
    const size = { tenants: 1, copies: 1, streamMs: 2_000, holdersToo: false, timed: false }
    const { facts, broken } = await runEndpoints(givenFor(url), size)
    await drop()
    expect(broken).toEqual([])
    expect(facts['healthy deliveries']).toBeGreaterThan(20)
  },
)
