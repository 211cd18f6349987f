import { expect, test } from 'vitest'
import { newId, type TenantId } from '../../../../platform/ids.ts'
import type { Attempted } from './attempt.ts'
import { createHealthTally } from './health-tally.ts'

const at = new Date('2026-03-01T10:20:00Z')
const attempted = {
  row: { webhook_id: newId('webhook'), test: false },
  outcome: { statusCode: 200, latencyMs: 4 },
  settled: { at },
} as Attempted

test('the counts of many tenants leave together, and never more than 32 at once', async () => {
  const tenants = Array.from({ length: 100 }, () => newId('workspace'))
  const waiting: Array<() => void> = []
  const written: TenantId[] = []
  const tally = createHealthTally({
    async write(tenantId) {
      await new Promise<void>((resolve) => waiting.push(resolve))
      written.push(tenantId)
    },
    onError: expect.unreachable,
  })
  for (const tenant of tenants) tally.add(tenant, [attempted])
  const flushed = tally.flush()
  const most: number[] = []
  while (written.length < tenants.length) {
    await new Promise((resume) => setImmediate(resume))
    most.push(waiting.length)
    for (const resolve of waiting.splice(0)) resolve()
  }
  await flushed
  expect(Math.max(...most)).toBe(32)
  expect(written.toSorted()).toEqual(tenants.toSorted())
})

test('counts that were not written go with the next write, and those of other tenants are written', async () => {
  const [refused, other] = [newId('workspace'), newId('workspace')]
  const errors: unknown[] = []
  const written = new Map<TenantId, number>()
  let isRefusing = true
  const tally = createHealthTally({
    async write(tenantId, counts) {
      if (isRefusing && tenantId === refused) throw new Error('refused')
      for (const { attempts } of counts) written.set(tenantId, (written.get(tenantId) ?? 0) + attempts)
    },
    onError: (error) => errors.push(error),
  })
  tally.add(refused, [attempted, attempted])
  tally.add(other, [attempted])
  await tally.flush()
  expect([...written]).toEqual([[other, 1]])
  expect(errors).toEqual([new Error('refused')])
  isRefusing = false
  tally.add(refused, [attempted])
  await tally.flush()
  expect(written.get(refused)).toBe(3)
})
