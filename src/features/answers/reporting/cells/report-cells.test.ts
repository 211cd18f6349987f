import { afterEach, expect, test, vi } from 'vitest'
import { readCells } from './report-cells.ts'

const round = () => new Promise((resolve) => setImmediate(resolve))

afterEach(() => {
  vi.useRealTimers()
})

test('equal cells of a slot are added up, and those that come to nothing are left out', async () => {
  const cells = [
    { slot: 2, cell: '["state", "completed"]', n: 3 },
    { slot: 2, cell: '["state", "completed"]', n: 4 },
    { slot: 1, cell: '["state", "completed"]', n: 9 },
    { slot: 2, cell: '["answer", "q", "multi", null, "a"]', n: 2 },
    { slot: 2, cell: '["answer", "q", "multi", null, "b"]', n: 1 },
    { slot: 2, cell: '["answer", "q", "multi", null, "b"]', n: -1 },
    { slot: 2, cell: '["finished", "q"]', n: 2 },
  ]
  expect(await readCells(cells, 2)).toMatchObject({
    states: [{ state: 'completed', n: 7 }],
    answers: [{ question: 'q', type: 'multi', part: null, value: 'a', n: 2 }],
    finished: new Map([['q', 2]]),
  })
})

test('the cells of many versions are read in slices', async () => {
  await round()
  vi.useFakeTimers({ toFake: ['performance'] })
  let [looks, most] = [0, 0]
  const look = () => {
    vi.advanceTimersByTime(1)
    looks += 1
  }
  const parse = vi.spyOn(JSON, 'parse').mockImplementation((text) => {
    look()
    return text.slice(2, -2).split('","')
  })
  const cells = Array.from({ length: 60 }, (_, n) => ({
    get slot() {
      look()
      return 1
    },
    cell: `["answer","q","multi","","c${n}"]`,
    n: 1,
  }))
  let counting = setImmediate(function count() {
    most = Math.max(most, looks)
    looks = 0
    counting = setImmediate(count)
  })
  const { answers } = await readCells(cells, 1)
  await round()
  clearImmediate(counting)
  parse.mockRestore()
  expect(answers).toHaveLength(60)
  expect(most).toBeLessThanOrEqual(12)
})
