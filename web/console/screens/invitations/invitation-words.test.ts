import { expect, test } from 'vitest'
import { isMoving, progressOf, sumOf, type Invitation } from './invitation-words.ts'

test('everything that a provider took is out, whatever happened to it since', () => {
  const by_status = { queued: 3, calling: 1, delivered: 5, completed: 2, bounced: 1, failed: 1, cancelled: 1 }
  const progress = { total: 14, waiting: 4, undecided: 6, by_status }
  expect(progressOf({ progress } as unknown as Invitation)).toEqual({ out: 8, total: 20, answered: 2, failed: 2 })
})

test('sums and moving states', () => {
  expect(sumOf({ suppressed: 2, duplicate: 1 })).toBe(3)
  expect((['scheduled', 'sending', 'finished', 'cancelled'] as const).map((status) => isMoving({ status }))).toEqual([
    true,
    true,
    false,
    false,
  ])
})
