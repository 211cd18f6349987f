import { expect, test } from 'vitest'
import { Problem } from '../../../../http/problems/problem.ts'
import { createCaches } from '../../../../platform/config/caches.ts'
import { readTogether } from './readings.ts'

function startReadings() {
  const caches = createCaches()
  const state = { now: 0, readings: 0 }
  const visit = (tookMs: number, error?: Error) =>
    readTogether(
      caches,
      'one dashboard',
      async () => {
        state.readings += 1
        await Promise.resolve()
        state.now += tookMs
        if (error) throw error
        return state.readings
      },
      () => state.now,
    )
  return { state, visit }
}

test('visits at the same time share one reading, and the next one reads anew', async () => {
  const { visit } = startReadings()
  expect(await Promise.all([visit(30), visit(30), visit(30)])).toEqual([1, 1, 1])
  expect(await visit(30)).toBe(2)
})

test('a slow reading is kept ten times as long as it took', async () => {
  const { state, visit } = startReadings()
  expect(await visit(2_000)).toBe(1)
  state.now += 19_999
  expect(await visit(2_000)).toBe(1)
  state.now += 1
  expect(await visit(2_000)).toBe(2)
})

test('an answer that the figures take too long is kept as well, and any other failure is not', async () => {
  const { visit } = startReadings()
  await expect(visit(5_000, new Problem(503, 'busy', { detail: 'Later.' }))).rejects.toThrow('Later.')
  await expect(visit(5_000)).rejects.toThrow('Later.')
  const away = startReadings()
  await expect(away.visit(5_000, new Error('the database is away'))).rejects.toThrow('away')
  expect(await away.visit(5_000)).toBe(2)
})
