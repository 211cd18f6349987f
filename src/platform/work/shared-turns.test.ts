import { setImmediate as later } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { newId } from '../ids.ts'
import { shareTurns } from './shared-turns.ts'

test('few go on at a time, and long work lets each of the others have a turn before its next one', async () => {
  let now = Date.UTC(2026, 10, 28)
  const turns = shareTurns({ now: () => new Date(now) }, 1)
  const order: string[] = []
  const work = async (name: string, steps: number) => {
    const turn = await turns.begin(newId('workspace'))
    for (let step = 0; step < steps; step++) {
      await turn.pass()
      order.push(name)
      now += 600
      await later()
    }
    turn.end()
  }
  await Promise.all([work('long', 6), work('short', 1), work('other', 3)])
  expect(order.join(' ')).toBe('long long short other other long long other long long')
  // The place is free again.
  await work('late', 1)
  expect(order.at(-1)).toBe('late')
})
