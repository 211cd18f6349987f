import { expect, test } from 'vitest'
import { Problem } from '../../../http/problems/problem.ts'
import { createCaches } from '../../../platform/config/caches.ts'
import { readTogether } from './readings.ts'

function startReadings() {
  const caches = createCaches()
  const state = { now: 0, readings: 0 }
  const visit = (error?: Error) =>
    readTogether(
      caches,
      'one dashboard',
      async () => {
        state.readings += 1
        await Promise.resolve()
        if (error) throw error
        return state.readings
      },
      () => state.now,
    )
  return { state, visit }
}

test('visits at the same time share one reading, and the next one reads anew', async () => {
  const { visit } = startReadings()
  expect(await Promise.all([visit(), visit(), visit()])).toEqual([1, 1, 1])
  expect(await visit()).toBe(2)
})

test('visits that share a reading go on in a round of the event loop each', async () => {
  const { visit } = startReadings()
  let round = 0
  let counting = setImmediate(function count() {
    round += 1
    counting = setImmediate(count)
  })
  const rounds = await Promise.all(Array.from({ length: 5 }, () => visit().then(() => round)))
  clearImmediate(counting)
  expect(new Set(rounds).size).toBe(5)
})

test('a refusal is kept until its reader may come again', async () => {
  const { state, visit } = startReadings()
  await expect(visit(new Problem(503, 'busy', { detail: 'Later.', retryAfter: 60 }))).rejects.toThrow('Later.')
  state.now += 59_999
  await expect(visit()).rejects.toThrow('Later.')
  state.now += 1
  expect(await visit()).toBe(2)
})

test('any other failure is not kept', async () => {
  const { visit } = startReadings()
  await expect(visit(new Error('the database is away'))).rejects.toThrow('away')
  expect(await visit()).toBe(2)
})
