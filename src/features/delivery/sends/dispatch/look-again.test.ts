import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLog } from '../../../../platform/config/log.ts'
import { newId } from '../../../../platform/ids.ts'
import { createTestClock } from '../../../../platform/loop/clock.ts'
import { lookAgain, type Decide } from './look-again.ts'
import type { Outcome } from './outcome.ts'

const NOW = new Date('2026-03-02T10:00:00Z')
const CANCELLED: Outcome = { kind: 'ended', as: 'cancelled', reason: null }
const ONE = newId('send')

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

/** A look, and those that began. */
function given(look: () => Promise<Decide>) {
  const clock = createTestClock(NOW)
  const looking = vi.fn(look)
  const stoppedOf = lookAgain({ clock, log: createLog('silent') }, NOW, looking)
  return { clock, looking, ask: () => stoppedOf(ONE) }
}

test('the first look is a second after the claim, and the next one a second later', async () => {
  const { clock, looking, ask } = given(async () => () => CANCELLED)
  clock.advance(999)
  expect(await ask()).toBeNull()
  clock.advance(1)
  expect(await ask()).toEqual(CANCELLED)
  clock.advance(999)
  expect(await ask()).toEqual(CANCELLED)
  expect(looking).toHaveBeenCalledTimes(1)
  clock.advance(1)
  await ask()
  expect(looking).toHaveBeenCalledTimes(2)
})

test('a look that hangs holds messages up for two seconds, and they are due again after ten', async () => {
  const { clock, looking, ask } = given(() => new Promise(() => {}))
  clock.advance(1_000)
  const asked = [ask(), ask()]
  clock.advance(1_500)
  asked.push(ask())
  await vi.advanceTimersByTimeAsync(2_000)
  const waits = { kind: 'not_called', retryAt: new Date(clock.now().getTime() + 10_000) }
  expect(await Promise.all(asked)).toEqual([waits, waits, waits])
  clock.advance(9_999)
  expect(await ask()).toEqual(waits)
  expect(looking).toHaveBeenCalledTimes(1)
})

test('a look that failed is repeated after ten seconds', async () => {
  let fails = true
  const { clock, ask } = given(async () => {
    if (fails) throw new Error('away')
    return () => null
  })
  clock.advance(1_000)
  expect(await ask()).toMatchObject({ kind: 'not_called' })
  fails = false
  clock.advance(10_000)
  expect(await ask()).toBeNull()
})
