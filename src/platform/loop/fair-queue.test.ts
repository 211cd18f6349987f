import { expect, test } from 'vitest'
import { createFairQueue } from './fair-queue.ts'

test('askers take turns, and the items of each keep their order, however many have gone before', () => {
  const queue = createFairQueue<string>(Infinity)
  for (let n = 0; n < 5_000; n++) queue.push('a', `a${n}`)
  const taken = Array.from({ length: 2_000 }, () => queue.next())
  for (let n = 0; n < 3; n++) queue.push('b', `b${n}`)
  queue.push('a', 'a5000')
  for (let item = queue.next(); item !== null; item = queue.next()) taken.push(item)
  const ofA = Array.from({ length: 5_001 }, (_, n) => `a${n}`)
  expect(taken).toEqual([...ofA.slice(0, 2_001), 'b0', 'a2001', 'b1', 'a2002', 'b2', ...ofA.slice(2_003)])
})

test('one asker may have half of the places, and an empty queue takes items again', () => {
  const queue = createFairQueue<number>(4)
  expect([1, 2, 3].map((n) => queue.push('a', n))).toEqual([true, true, false])
  expect([4, 5].map((n) => queue.push('b', n))).toEqual([true, true])
  expect(queue.push('c', 6)).toBe(false)
  expect([queue.next(), queue.next(), queue.next(), queue.next(), queue.next()]).toEqual([1, 4, 2, 5, null])
  expect(queue.push('a', 7)).toBe(true)
  expect(queue.next()).toBe(7)
})
