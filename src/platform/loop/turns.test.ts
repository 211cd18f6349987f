import { expect, test, vi } from 'vitest'
import { mapInSlices, nextTurn, runInSlices, startCourtesy, startSlices, takeTurnsAs } from './turns.ts'

const round = () => new Promise((resolve) => setImmediate(resolve))

test('of many that wait for a turn, one goes on in each round of the event loop, in order', async () => {
  const gone: number[] = []
  const turns = Array.from({ length: 10 }, (_, n) => nextTurn().then(() => gone.push(n)))
  for (let rounds = 1; rounds <= 10; rounds++) {
    await round()
    expect(gone).toEqual(Array.from({ length: rounds }, (_, n) => n))
  }
  await Promise.all(turns)
})

test('a caller that comes while others wait goes on after them, and is not forgotten', async () => {
  const gone: string[] = []
  const first = nextTurn().then(() => {
    gone.push('first')
    return nextTurn().then(() => gone.push('first again'))
  })
  const second = nextTurn().then(() => gone.push('second'))
  await Promise.all([first, second])
  expect(gone).toEqual(['first', 'second', 'first again'])
  await nextTurn()
})

test('askers take turns, and an asker is known once it waits', async () => {
  const gone: string[] = []
  let name = 'nobody'
  const wait = async (what: string) => {
    await Promise.resolve()
    await nextTurn()
    gone.push(what)
  }
  const all = [
    ...['1', '2', '3'].map((n) =>
      takeTurnsAs(
        () => 'many',
        () => wait(`many ${n}`),
      ),
    ),
    takeTurnsAs(
      () => name,
      () => wait('few 1'),
    ),
    wait('process'),
    takeTurnsAs(
      () => 'few',
      () => wait('few 2'),
    ),
  ]
  name = 'few'
  await Promise.all(all)
  expect(gone).toEqual(['many 1', 'few 1', 'process', 'many 2', 'few 2', 'many 3'])
})

test('work that cannot be cut is late once others have used up the round, and in time after a turn', async () => {
  await round()
  vi.useFakeTimers({ toFake: ['performance'] })
  const first = startSlices()
  vi.advanceTimersByTime(8)
  expect([first.isLate(), startSlices().isLate()]).toEqual([false, false])
  vi.advanceTimersByTime(1)
  const late = startSlices()
  expect(late.isLate()).toBe(true)
  await late.next()
  expect(late.isLate()).toBe(false)
  vi.useRealTimers()
})

test('steps run to their end and give their result', async () => {
  function* steps(): Generator<undefined, string, undefined> {
    for (let n = 0; n < 3; n++) {
      const until = performance.now() + 9
      while (performance.now() < until);
      yield
    }
    return 'done'
  }
  let rounds = 0
  const counting = setInterval(() => (rounds += 1), 0)
  expect(await runInSlices(steps())).toBe('done')
  clearInterval(counting)
  expect(rounds).toBeGreaterThan(0)
})

test('many that begin in one round of the event loop share one slice, and short work does not wait', async () => {
  await round()
  vi.useFakeTimers({ toFake: ['performance'] })
  let [inRound, most] = [0, 0]
  let counting = setImmediate(function count() {
    most = Math.max(most, inRound)
    inRound = 0
    counting = setImmediate(count)
  })
  const step = () => {
    vi.advanceTimersByTime(1)
    inRound += 1
  }
  const long = Array.from({ length: 10 }, () => mapInSlices(Array.from({ length: 20 }), step))
  let isDone = false
  const short = mapInSlices([1], step).then(() => (isDone = true))
  await round()
  expect(isDone).toBe(true)
  await Promise.all([...long, short])
  clearImmediate(counting)
  vi.useRealTimers()
  // One slice, two steps of each other, and the short one. Ten slices have 90.
  expect(most).toBeLessThanOrEqual(9 + 9 * 2 + 1)
})

test('long work takes a fifth of the time in a busy process, and nearly all of it in a quiet one', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const rested: number[] = []
  let busy = 0
  const giveWay = startCourtesy(
    () => () => busy,
    async (ms) => void rested.push(ms),
  )
  const work = async (ms: number) => {
    vi.advanceTimersByTime(ms)
    await giveWay()
  }
  await work(199)
  expect(rested).toEqual([])
  await work(1)
  busy = 1
  await work(200)
  expect(rested).toEqual([10, 10])
  await work(200)
  await work(5_000)
  expect(rested.slice(2)).toEqual([800, 1_000])
  busy = 0
  await work(200)
  await work(200)
  expect(rested.slice(4)).toEqual([800, 10])
  vi.useRealTimers()
})

test('long work awaits what it has under way before it looks who else is busy, and not before a look is due', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const steps: string[] = []
  const giveWay = startCourtesy(
    () => {
      steps.push('looked')
      return () => 0
    },
    async () => {},
  )
  const settle = async () => {
    await Promise.resolve()
    steps.push('settled')
  }
  vi.advanceTimersByTime(199)
  await giveWay(settle)
  expect(steps).toEqual([])
  vi.advanceTimersByTime(1)
  await giveWay(settle)
  expect(steps).toEqual(['settled', 'looked'])
  vi.useRealTimers()
})
