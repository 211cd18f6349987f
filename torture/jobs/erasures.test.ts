import { expect, test } from 'vitest'
import { cloneDatabase } from '../../src/testing/harness.ts'
import { runErasures } from './erasures.ts'
import { givenFor } from '../short.ts'

test('SIGKILLs in the middle of erasures leave none undone and nothing of a person', { timeout: 120_000 }, async () => {
  const { url, drop } = await cloneDatabase()
  const { facts, broken } = await runErasures(givenFor(url), { kills: 3, people: 3, responses: 4 })
  await drop()
  expect(broken).toEqual([])
  expect(facts['erasures']).toBe(9)
})
