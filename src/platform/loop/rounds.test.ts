import { expect, test } from 'vitest'
import { createRounds } from './rounds.ts'

const round = () => new Promise((resolve) => setImmediate(resolve))

/** Work of 3 ms each, of which 2 ms are done in promises. */
function start() {
  let ms = 0
  const rounds = createRounds(() => ms)
  const begun: string[] = []
  return {
    begun,
    begin: (name: string, of = 'ours') =>
      rounds.begin(
        () => of,
        () => {
          begun.push(name)
          ms += 1
          void Promise.resolve()
            .then(() => (ms += 1))
            .then(() => (ms += 1))
        },
      ),
    pass: (more: number) => (ms += more),
  }
}

test('work begins at once while the round has time, and a round later has all its time again', async () => {
  const { begun, begin, pass } = start()
  begin('1')
  pass(4)
  begin('2')
  expect(begun).toEqual(['1', '2'])
  await round()
  begin('3')
  expect(begun).toEqual(['1', '2', '3'])
})

test('what a round has no time for begins in later ones, as many in each as fit, in order', async () => {
  const { begun, begin, pass } = start()
  begin('0')
  pass(8)
  const names = Array.from({ length: 10 }, (_, n) => `${n + 1}`)
  for (const name of names) begin(name)
  expect(begun).toEqual(['0'])
  const perRound: number[] = []
  while (begun.length < 11) {
    const before = begun.length
    await round()
    perRound.push(begun.length - before)
  }
  expect(begun.slice(1)).toEqual(names)
  // Three of 3 ms each use up 8 ms.
  expect(perRound).toEqual([3, 3, 3, 1])
})

test('work that comes while others wait goes behind it, and askers take turns', async () => {
  const { begun, begin, pass } = start()
  begin('0')
  pass(8)
  for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) begin(name, 'a')
  begin('b1', 'b')
  await round()
  expect(begun).toEqual(['0', 'a1', 'b1', 'a2'])
  begin('c1', 'c')
  expect(begun).toHaveLength(4)
  await round()
  expect(begun.slice(4)).toEqual(['a3', 'c1', 'a4'])
})
