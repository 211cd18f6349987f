import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { newId } from '../../../../platform/ids.ts'
import { createRecorder } from './recorder.ts'

const BAD = 5
const LOAD_MS = 60_000
const TICK_MS = 50

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test.each([
  { writeMs: 10, refusalMs: 10 },
  { writeMs: 600, refusalMs: 600 },
  { writeMs: 700, refusalMs: 300 },
  { writeMs: 600, refusalMs: 10 },
])(
  'a row that cannot be written is given up, and the others are written, at $writeMs and $refusalMs ms',
  async ({ writeMs, refusalMs }) => {
    const tenantId = newId('workspace')
    const written = new Set<number>()
    let refusedAlone = 0
    const recorder = createRecorder<number>({
      async write(_, batch) {
        const isRefused = batch.includes(BAD)
        await new Promise((resume) => setTimeout(resume, isRefused ? refusalMs : writeMs))
        if (isRefused && batch.length === 1) refusedAlone += 1
        if (isRefused) throw new Error('this row cannot be written')
        for (const row of batch) written.add(row)
      },
      isAway: () => false,
      onRecorded() {},
      onError() {},
      onSettled() {},
    })
    let rows = 0
    const add = (count: number) => {
      for (let n = 0; n < count; n++) recorder.add(tenantId, rows++)
    }
    // Full batches leave two at once, and more rows keep coming.
    add(300)
    for (let tick = 0; tick < LOAD_MS; tick += TICK_MS) {
      add(15)
      await vi.advanceTimersByTimeAsync(TICK_MS)
    }
    expect(refusedAlone).toBe(5)
    await vi.advanceTimersByTimeAsync(10 * LOAD_MS)
    expect(written.size).toBe(rows - 1)
    expect(recorder.busy()).toBe(false)
  },
)
