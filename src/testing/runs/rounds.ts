import { vi } from 'vitest'

/** How many rounds of the event loop work takes where each look at the time shows a millisecond more. */
export async function countRounds(work: () => Promise<unknown>): Promise<number> {
  let nowMs = performance.now()
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (nowMs += 1))
  let rounds = 0
  let counting = setImmediate(function count() {
    rounds += 1
    counting = setImmediate(count)
  })
  try {
    await work()
    return rounds
  } finally {
    clearImmediate(counting)
    clock.mockRestore()
  }
}
