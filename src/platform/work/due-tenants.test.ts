import { expect, test } from 'vitest'
import { newId, type TenantId } from '../ids.ts'
import { untilNoneIsDue, untilNoneIsDueInSlots } from './due-tenants.ts'

const OPTIONS = { signal: new AbortController().signal, renew: async () => true }

test('each workspace has a turn in a round, and one with a failure keeps no other from further rounds', async () => {
  const [many, broken, few] = [newId('workspace'), newId('workspace'), newId('workspace')]
  const waiting = new Map<TenantId, number>([
    [many, 3],
    [broken, 1],
    [few, 2],
  ])
  const turns: TenantId[] = []
  const running = untilNoneIsDue(
    OPTIONS,
    async () => [...waiting.keys()].filter((id) => waiting.get(id) !== 0),
    async (tenantId) => {
      turns.push(tenantId)
      if (tenantId === broken) throw new Error('broken')
      waiting.set(tenantId, (waiting.get(tenantId) ?? 0) - 1)
      return 1
    },
  )
  await expect(running).rejects.toThrow('broken')
  expect(turns).toEqual([many, broken, few, many, few, many])
})

test('a workspace whose turn was not full has no further one, though more has come', async () => {
  const tenantId = newId('workspace')
  const turns = [10, 10, 4, 10]
  expect(
    await untilNoneIsDue(
      OPTIONS,
      async () => [tenantId],
      async () => turns.shift() ?? 0,
      10,
    ),
  ).toBe(24)
  expect(turns).toEqual([10])
})

test('a page of workspaces in any order leads to the next page', async () => {
  const all = Array.from({ length: 150 }, () => newId('workspace')).sort()
  const due = new Set<TenantId>(all)
  const asked: Array<TenantId | null> = []
  await untilNoneIsDueInSlots(
    OPTIONS,
    { all: 4, each: 1 },
    async (after) => {
      asked.push(after)
      return [...due]
        .filter((id) => after === null || id > after)
        .slice(0, 100)
        .reverse()
    },
    async (tenantId) => Number(due.delete(tenantId)),
  )
  expect(due.size).toBe(0)
  expect(asked[1]).toBe(all[99])
})

test('a workspace that was done has a further turn when it has new work, though the work of another still goes on', async () => {
  const [slow, quick] = [newId('workspace'), newId('workspace')]
  const due = new Set<TenantId>([slow, quick])
  const turns: TenantId[] = []
  const hanging = Promise.withResolvers<void>()
  let looks = 0
  await untilNoneIsDueInSlots(
    OPTIONS,
    { all: 4, each: 1 },
    async () => {
      looks += 1
      if (looks === 5) due.add(quick)
      return [...due]
    },
    async (tenantId) => {
      turns.push(tenantId)
      if (tenantId === slow) {
        await hanging.promise
        return Number(due.delete(slow))
      }
      // Another had taken the first of its rows.
      if (turns.filter((id) => id === quick).length === 1) {
        due.delete(quick)
        return 0
      }
      hanging.resolve()
      return Number(due.delete(quick))
    },
  )
  expect(turns.slice(0, 3)).toEqual([slow, quick, quick])
})

test('workspaces whose work hangs leave slots for others', async () => {
  const hanging = Promise.withResolvers<void>()
  const slow = Array.from({ length: 4 }, () => newId('workspace'))
  const quick = newId('workspace')
  const turns: TenantId[] = []
  let looks = 0
  const running = untilNoneIsDueInSlots(
    OPTIONS,
    { all: 8, each: 2 },
    async () => {
      looks += 1
      if (looks === 4) return [quick]
      return turns.includes(quick) ? [] : slow
    },
    async (tenantId) => {
      turns.push(tenantId)
      if (tenantId === quick) hanging.resolve()
      await hanging.promise
      return 1
    },
  )
  await running
  expect(turns).toHaveLength(7)
  expect(turns.at(-1)).toBe(quick)
})

test('a row that is given back while the others are listed has its next turn in the same run', async () => {
  const tenantId = newId('workspace')
  const first = Promise.withResolvers<void>()
  const listed = Promise.withResolvers<void>()
  let turns = 0
  let looks = 0
  await untilNoneIsDueInSlots(
    OPTIONS,
    { all: 4, each: 1 },
    async () => {
      looks += 1
      if (looks === 1) return [tenantId]
      // Read before the row was given back, and answered after.
      if (looks === 2) {
        first.resolve()
        await listed.promise
        return []
      }
      return turns === 1 ? [tenantId] : []
    },
    async () => {
      turns += 1
      if (turns === 1) {
        await first.promise
        setImmediate(() => setImmediate(() => listed.resolve()))
      }
      return 1
    },
  )
  expect(turns).toBe(2)
})
