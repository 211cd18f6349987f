import { expect, test } from 'vitest'
import { stateOf } from './states.ts'

const NEXT = '2026-03-01T09:00:00Z'

test.each([
  ['delivered', 'delivered', false, false, null],
  ['waiting', 'pending', false, true, NEXT],
  ['again', 'failed', false, true, NEXT],
  ['off', 'pending', false, true, null],
  ['off', 'failed', false, true, null],
  ['dead', 'failed', true, false, null],
  ['ended', 'failed', false, false, null],
] as const)('a delivery is %s', (name, status, dead_lettered, waiting, next_attempt_at) => {
  expect(stateOf({ status, dead_lettered, waiting, next_attempt_at }).name).toBe(name)
})
