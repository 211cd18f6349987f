import { expect, test } from 'vitest'
import { newId, type TenantId } from '../ids.ts'
import { untilNoneIsDue } from './due-tenants.ts'

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
