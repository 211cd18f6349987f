import { expect, test } from 'vitest'
import { lockPatience } from './steps.service.ts'

test('a request waits longer for a lock the older it is, so that its workspace cannot keep it waiting for ever', () => {
  const created = new Date('2026-03-02T10:00:00.000Z')
  const after = (seconds: number) => lockPatience(created, new Date(created.getTime() + seconds * 1_000))
  expect([0, 20, 60, 200, 86_400].map(after)).toEqual([2_000, 2_000, 6_000, 20_000, 20_000])
})
