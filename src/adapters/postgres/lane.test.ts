import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { DatabaseUnavailableError } from '../../platform/database/database-adapter.ts'
import { createLane } from './lane.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Works that end when they are told to. */
function open(places: { all: number; each: number }) {
  const lane = createLane({ ...places, mostWaitMs: 5_000 })
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const failed: unknown[] = []
  const start = (of: string, name: string) =>
    lane
      .run(of, () => {
        begun.push(name)
        return new Promise<void>((resolve) => ends.set(name, resolve))
      })
      .catch((error: unknown) => void failed.push(error))
  const end = async (name: string) => {
    ends.get(name)?.()
    await vi.advanceTimersByTimeAsync(0)
  }
  return { start, end, begun, failed, waiting: lane.waiting }
}

test('askers who wait take turns, and none has more than its part', async () => {
  const { start, end, begun } = open({ all: 3, each: 2 })
  for (const n of [1, 2, 3, 4]) void start('a', `a${n}`)
  for (const n of [1, 2]) void start('b', `b${n}`)
  void start('c', 'c1')
  await vi.advanceTimersByTimeAsync(0)
  expect(begun).toEqual(['a1', 'a2', 'b1'])
  await end('a1')
  await end('a2')
  await end('b1')
  expect(begun.slice(3).toSorted()).toEqual(['a3', 'b2', 'c1'])
  for (const name of begun.slice(3)) await end(name)
  expect(begun.at(-1)).toBe('a4')
})

test('a work that waited too long is turned away while the others still hold their places', async () => {
  const { start, end, begun, failed } = open({ all: 1, each: 1 })
  void start('a', 'a1')
  void start('a', 'a2')
  await vi.advanceTimersByTimeAsync(3_000)
  void start('b', 'b1')
  await vi.advanceTimersByTimeAsync(2_000)
  expect(failed).toEqual([expect.any(DatabaseUnavailableError)])
  await end('a1')
  expect(begun).toEqual(['a1', 'b1'])
  await end('b1')
  void start('a', 'a3')
  await vi.advanceTimersByTimeAsync(0)
  expect(begun.at(-1)).toBe('a3')
})

test('two askers with slow works leave places for others', async () => {
  const { start, end, begun, waiting } = open({ all: 8, each: 4 })
  for (const n of [1, 2, 3, 4, 5]) for (const asker of ['a', 'b']) void start(asker, `${asker}${n}`)
  await vi.advanceTimersByTimeAsync(0)
  expect(begun).toHaveLength(6)
  expect(waiting()).toBe(4)
  void start('c', 'c1')
  void start('c', 'c2')
  void start('d', 'd1')
  await vi.advanceTimersByTimeAsync(0)
  expect(begun.slice(6), 'a first work of each').toEqual(['c1', 'd1'])
  await end('c1')
  expect(begun.at(-1)).toBe('c2')
  await end('c2')
  await end('d1')
  expect(begun, 'those who wait do not take the last places').toHaveLength(9)
})
