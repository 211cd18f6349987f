import { expect, test } from 'vitest'
import { isMoving, progressOf, stagesOf, sumOf, type Invitation } from './invitation-words.ts'

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

test('a message that was answered was opened, and has arrived', () => {
  const by_status = { queued: 2, accepted: 1, delivered: 3, clicked: 2, completed: 1, bounced: 1 }
  const progress = { total: 10, waiting: 2, undecided: 0, by_status }
  expect(stagesOf({ progress } as unknown as Invitation)).toEqual([
    { stage: 'out', count: 8, of: 10 },
    { stage: 'delivered', count: 6, of: 8 },
    { stage: 'opened', count: 3, of: 8 },
    { stage: 'answered', count: 1, of: 8 },
    { stage: 'failed', count: 1, of: 10 },
  ])
})
