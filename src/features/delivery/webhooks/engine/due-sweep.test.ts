import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { DueSweep } from './due-sweep.ts'

let looks: Array<{ end(): void }>
let rests: number
let dueSweep: DueSweep
beforeEach(() => {
  vi.useFakeTimers()
  looks = []
  rests = 0
  const look = () => new Promise<void>((resolve) => void looks.push({ end: resolve }))
  dueSweep = new DueSweep(look, () => void (rests += 1))
})
afterEach(() => vi.useRealTimers())

const endLook = async () => {
  looks.at(-1)?.end()
  await vi.advanceTimersByTimeAsync(0)
}

test('who asks during a look gets one more, however many ask', async () => {
  let covered = false
  void dueSweep.now()
  void dueSweep.now()
  void dueSweep.now().then(() => (covered = true))
  expect(looks).toHaveLength(1)
  await endLook()
  expect([looks.length, covered, rests]).toEqual([2, false, 0])
  await endLook()
  expect([looks.length, covered, rests, dueSweep.isResting]).toEqual([2, true, 1, true])
})

test('an earlier plan stands, and a later one gives way to it', async () => {
  dueSweep.within(1_000)
  dueSweep.within(5_000)
  await vi.advanceTimersByTimeAsync(999)
  expect(looks).toHaveLength(0)
  await vi.advanceTimersByTimeAsync(1)
  expect(looks).toHaveLength(1)
  await endLook()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(looks).toHaveLength(1)
  dueSweep.within(5_000)
  dueSweep.within(1_000)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(looks).toHaveLength(2)
})

test('a retry that is due at once is looked for after a pause', async () => {
  dueSweep.within(-1_000)
  await vi.advanceTimersByTimeAsync(49)
  expect(looks).toHaveLength(0)
  await vi.advanceTimersByTimeAsync(1)
  expect(looks).toHaveLength(1)
})

test('a stopped one keeps no plan and takes none', async () => {
  dueSweep.within(1_000)
  dueSweep.stop()
  dueSweep.within(500)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(looks).toHaveLength(0)
})
