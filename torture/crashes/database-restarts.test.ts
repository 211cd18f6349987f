import { expect, test } from 'vitest'
import { startOwnPostgres } from '../../src/testing/database/postgres.ts'
import { runDatabaseRestarts } from './database-restarts.ts'
import { givenFor } from '../short.ts'

test('PostgreSQL that crashes and returns costs nothing that was acknowledged', { timeout: 120_000 }, async () => {
  const postgres = await startOwnPostgres()
  const size = {
    restarts: 2,
    responsesPerSecond: 20,
    warmMs: 0,
    calmMs: 0,
    pauseMs: 1_500,
    timed: false,
    endLeases: true,
  }
  const { facts, broken } = await runDatabaseRestarts(
    { ...givenFor(postgres.url('postgres')), postgres },
    size,
  ).finally(() => postgres.stop())
  expect(broken).toEqual([])
  expect(facts['acknowledged']).toBeGreaterThan(20)
  expect(facts['probes during outages']).toBeGreaterThan(2)
})
