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

test('work that begins goes before work that goes on, which still has one turn of three', async () => {
  const turns = shareTurns({ now: () => new Date() }, 1)
  const order: string[] = []
  const held = await turns.begin(newId('workspace'))
  const have = async (name: string, goesOn: boolean) => {
    const turn = await turns.begin(newId('workspace'), goesOn)
    order.push(name)
    turn.end()
  }
  const all = [
    ...['old', 'older'].map((name) => have(name, true)),
    ...['new 1', 'new 2', 'new 3', 'new 4', 'new 5'].map((name) => have(name, false)),
  ]
  held.end()
  await Promise.all(all)
  expect(order).toEqual(['new 1', 'new 2', 'old', 'new 3', 'new 4', 'older', 'new 5'])
})

test('so many works wait in their middle, and another does not wait there', async () => {
  let now = Date.UTC(2026, 10, 28)
  const turns = shareTurns({ now: () => new Date(now) }, 2, { most: 1 })
  const [first, second] = [await turns.begin(newId('workspace')), await turns.begin(newId('workspace'))]
  const short = turns.begin(newId('workspace'))
  now += 1_000
  const passed = first.pass()
  expect(await second.pass()).toBe(false)
  second.end()
  expect(await passed).toBe(true)
  ;(await short).end()
  first.end()
})
