import { expect, test, vi } from 'vitest'
import { createWorkThread } from './work-thread.ts'

const MODULE = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort, threadId } from 'node:worker_threads'
    parentPort.on('message', (task) => {
      if (task === 'hang') for (;;);
      if (task === 'die') throw new Error('no')
      if (task === 'grow') for (const all = [];;) all.push({ all, list: Array(1000).fill(all) })
      parentPort.postMessage(task === 'who' ? threadId : task * 2)
    })`)}`,
)

const MOST_MS = 20_000
const start = () => createWorkThread<number | string, number>(MODULE, { name: 'test', mostMs: MOST_MS, memoryMb: 16 })

test('work is done in order, each answered by its own result', async () => {
  const thread = start()
  expect(await Promise.all([1, 2, 3, 4].map((task) => thread.run(task, 'ours')))).toEqual([2, 4, 6, 8])
})

test.each([
  ['takes too long', 'hang'],
  ['throws', 'die'],
  ['needs too much memory', 'grow'],
])('work that %s is refused, and what waits behind it is done', async (_, task) => {
  // The thread takes its own time, which is no part of the time that the work may take.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const thread = start()
  const both = Promise.allSettled([thread.run(task, 'ours'), thread.run(4, 'ours')])
  if (task === 'hang') vi.advanceTimersByTime(MOST_MS)
  const results = await both
  vi.useRealTimers()
  expect(results).toMatchObject([
    { status: 'rejected', reason: { name: 'WorkFailedError' } },
    { status: 'fulfilled', value: 8 },
  ])
})

test('past two hundred pieces of work that wait, and past a hundred of one workspace, more is refused', async () => {
  const thread = start()
  const refusedOf = async (workspaces: number, each: number) => {
    const tasks = Array.from({ length: workspaces }, (_, of) => Array.from({ length: each }, () => `w${of}`)).flat()
    const results = await Promise.allSettled(tasks.map((of) => thread.run(1, of)))
    const refused = results.filter(({ status }) => status === 'rejected')
    for (const one of refused) expect(one).toMatchObject({ reason: { reason: 'busy' } })
    return refused.length
  }
  expect(await refusedOf(1, 110)).toBe(9)
  expect(await refusedOf(3, 70)).toBe(9)
})

test('workspaces take turns, however much one of them has to do', async () => {
  const thread = start()
  const done: string[] = []
  const run = (of: string) => thread.run(1, of).then(() => done.push(of))
  await Promise.all([...Array.from({ length: 50 }, () => run('much')), run('little'), run('less')])
  expect(done.slice(0, 4)).toEqual(['much', 'much', 'little', 'less'])
})

test('a thread that had nothing to do for 30 seconds ends, and the next work starts another', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const thread = start()
  const first = await thread.run('who', 'ours')
  vi.advanceTimersByTime(29_000)
  expect(await thread.run('who', 'ours')).toBe(first)
  vi.advanceTimersByTime(29_000)
  expect(await thread.run('who', 'ours')).toBe(first)
  vi.advanceTimersByTime(30_000)
  expect(await thread.run('who', 'ours')).not.toBe(first)
  vi.useRealTimers()
})
