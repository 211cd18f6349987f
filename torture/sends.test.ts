import { expect, test } from 'vitest'
import { cloneDatabase } from '../src/testing/harness.ts'
import { runSends } from './sends.ts'
import { givenFor } from './short.ts'

test('SIGKILL between a provider’s acceptance and its checkpoint leaves one record and one survey.sent for each send', { timeout: 120_000 }, async () => {
  const { url, drop } = await cloneDatabase()
  const { facts, broken } = await runSends(givenFor(url), { kills: 3, people: 20 })
  await drop()
  expect(broken).toEqual([])
  expect(facts).toMatchObject({ kills: 3, sends: 60 })
})
