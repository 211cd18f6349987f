import { acrossTenants } from '../platform/across-tenants.ts'
import type { Sweep } from '../platform/sweeps.ts'
import { REPLAY_HOURS } from './idempotency.ts'
import { deleteOlderThan, listTenantsWithOld } from './idempotency.store.ts'

/** Deletes idempotency keys whose replay time is over. */
export const expireKeysSweep: Sweep = {
  name: 'idempotency.expire',
  everySeconds: 600,
  async run(system, { limit }) {
    const before = new Date(system.clock.now().getTime() - REPLAY_HOURS * 3_600_000)
    const tenants = await acrossTenants(system, (tx, among) => listTenantsWithOld(tx, among, before, limit))
    let deleted = 0
    for (const { tenant_id } of tenants)
      deleted += await system.tenant(tenant_id, { type: 'system' }).tx((tx) => deleteOlderThan(tx, before, limit))
    return deleted
  },
}
