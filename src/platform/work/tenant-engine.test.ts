import { expect, test } from 'vitest'
import type { Runtime } from '../feature.ts'
import type { TenantId } from '../ids.ts'
import { tenantEngine } from './tenant-engine.ts'

const tenants = Array.from({ length: 12 }, (_, n) => `t${n}` as TenantId)

test('tenants take turns, so that those whose work never ends keep no other from theirs', async () => {
  const turns: TenantId[] = []
  const endless = new Set(tenants.slice(0, 8))
  const engine = tenantEngine({
    failed: 'failed',
    async work(_system, tenantId) {
      await new Promise((resume) => setImmediate(resume))
      turns.push(tenantId)
      return endless.has(tenantId) ? 1 : 0
    },
  })({
    run: (work: (system: never) => Promise<unknown>) => work(undefined as never),
    log: console,
  } as unknown as Runtime)
  for (const tenantId of tenants) engine.wake({ group: 'test', tenantId, ids: [] })
  await expect.poll(() => new Set(turns).size).toBe(12)
  await engine.stop()
})
