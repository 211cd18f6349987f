import { expect, test } from 'vitest'
import { createFairLimit, createLimitOfEach, type FairLimit } from './fair-limit.ts'

/** Begins works, and returns what began, in order, and how to end the first of them. */
function begin(limit: FairLimit, names: string[]) {
  const began: string[] = []
  const running: Array<PromiseWithResolvers<void>> = []
  const all = names.map((name) =>
    limit.run(name.charAt(0), () => {
      began.push(name)
      const work = Promise.withResolvers<void>()
      running.push(work)
      return work.promise
    }),
  )
  const settled = () => new Promise((resolve) => setImmediate(resolve))
  return {
    began,
    all,
    async end(fails = false) {
      if (fails) running.shift()?.reject(new Error('it failed'))
      else running.shift()?.resolve()
      await settled()
    },
  }
}

test('so many works run at once, and askers who wait take turns, also after a failure', async () => {
  const { began, all, end } = begin(createFairLimit(2), ['a1', 'a2', 'a3', 'a4', 'b1'])
  const outcomes = Promise.allSettled(all)
  expect(began).toEqual(['a1', 'a2'])
  await end(true)
  expect(began).toEqual(['a1', 'a2', 'a3'])
  await end()
  expect(began).toEqual(['a1', 'a2', 'a3', 'b1'])
  await end()
  expect(began).toEqual(['a1', 'a2', 'a3', 'b1', 'a4'])
  await end()
  await end()
  expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', ...Array(4).fill('fulfilled')])
})

test('each asker has its own limit', async () => {
  const { began, all, end } = begin(createLimitOfEach(1), ['a1', 'a2', 'b1'])
  expect(began).toEqual(['a1', 'b1'])
  await end()
  expect(began).toEqual(['a1', 'b1', 'a2'])
  await end()
  await end()
  await Promise.all(all)
})
