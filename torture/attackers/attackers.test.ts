import { expect, test } from 'vitest'
import { cloneDatabase } from '../../src/testing/harness.ts'
import { runAttackers } from './attackers.ts'
import { givenFor } from '../short.ts'

test('requests at their limits leave the server answering', { timeout: 240_000 }, async () => {
  const { url, drop } = await cloneDatabase()
  const { facts, broken } = await runAttackers(givenFor(url), {
    rounds: 1,
    atOnce: 3,
    every: 16,
    answers: 10,
    measured: false,
  })
  await drop()
  expect(broken).toEqual([])
  expect(facts['requests']).toMatch(/^2\d kinds, 6\d sent/)
})
