import { afterEach, beforeEach, expect, test } from 'vitest'
import { cloneDatabase } from '../../src/testing/harness.ts'
import { givenFor } from '../short.ts'
import { runClocks, runPoison, runWorkers } from './workers.ts'

let database: Awaited<ReturnType<typeof cloneDatabase>>
beforeEach(async () => {
  database = await cloneDatabase()
})
afterEach(() => database.drop())

test('eight workers over one ledger send each row once', { timeout: 120_000 }, async () => {
  const { facts, broken } = await runWorkers(givenFor(database.url), { workers: 8, rows: 2_000 })
  expect(broken).toEqual([])
  expect(facts).toMatchObject({ rows: 2_000, requests: 2_000 })
})

test('workers whose hosts’ clocks are ten minutes apart claim no row twice', { timeout: 120_000 }, async () => {
  const { facts, broken } = await runClocks(givenFor(database.url), { rows: 400, apartMs: 600_000, answerMs: 300 })
  expect(broken).toEqual([])
  expect(facts).toMatchObject({ rows: 400, requests: 400 })
})

test('a row that always throws has five attempts, and its neighbours their own', { timeout: 120_000 }, async () => {
  const { facts, broken } = await runPoison(givenFor(database.url), { events: 40, workers: 2 })
  expect(broken).toEqual([])
  expect(facts).toMatchObject({ 'rows that always throw': 88, neighbours: 152 })
})
