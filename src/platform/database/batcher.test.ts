import { expect, test } from 'vitest'
import { createBatcher, type BatcherOptions } from './batcher.ts'

function setUp(options: Partial<BatcherOptions<string>> = {}) {
  const started: string[][] = []
  const ends: Array<() => void> = []
  const flushes: Array<() => void> = []
  const batcher = createBatcher<string>({
    most: () => 3,
    atOnce: () => 2,
    gather: (flush) => void flushes.push(flush),
    run(batch) {
      started.push(batch)
      return new Promise((end) => ends.push(end))
    },
    ...options,
  })
  const end = async () => {
    ends.shift()?.()
    await new Promise(setImmediate)
  }
  return { batcher, started, end, gathered: () => flushes.splice(0).forEach((flush) => flush()) }
}

test('a full batch starts at once, and fewer items wait until they are gathered', () => {
  const { batcher, started, gathered } = setUp()
  for (const item of ['a', 'b', 'c', 'd']) batcher.add(item)
  expect(started).toEqual([['a', 'b', 'c']])
  gathered()
  expect(started).toEqual([['a', 'b', 'c'], ['d']])
})

test('items that come while as many batches as allowed are under way leave together', async () => {
  const { batcher, started, end, gathered } = setUp({ atOnce: () => 1 })
  batcher.add('a')
  gathered()
  batcher.add('b')
  batcher.add('c')
  gathered()
  expect(started).toEqual([['a']])
  await end()
  gathered()
  expect(started).toEqual([['a'], ['b', 'c']])
  expect(batcher.isIdle()).toBe(false)
  await end()
  expect(batcher.isIdle()).toBe(true)
})

test('an item that is not admitted keeps its place and starts when it is', () => {
  let closed = true
  const { batcher, started, gathered } = setUp({ admit: (item) => item !== 'x' || !closed })
  for (const item of ['x', 'a', 'b']) batcher.add(item)
  gathered()
  expect(started).toEqual([['a', 'b']])
  closed = false
  batcher.reconsider()
  gathered()
  expect(started).toEqual([['a', 'b'], ['x']])
})

test('what is put back goes before all others', async () => {
  const { batcher, started, end } = setUp({ most: () => 2, atOnce: () => 1 })
  for (const item of ['a', 'b', 'c']) batcher.add(item)
  batcher.putBack(['a', 'b'])
  await end()
  expect(started).toEqual([
    ['a', 'b'],
    ['a', 'b'],
  ])
})

test('after a batch has ended, only full batches leave without being gathered', async () => {
  const { batcher, started, end, gathered } = setUp({ most: () => 2, atOnce: () => 1 })
  for (const item of ['a', 'b', 'c', 'd', 'e']) batcher.add(item)
  await end()
  await end()
  expect(started).toEqual([
    ['a', 'b'],
    ['c', 'd'],
  ])
  gathered()
  expect(started).toEqual([['a', 'b'], ['c', 'd'], ['e']])
})
