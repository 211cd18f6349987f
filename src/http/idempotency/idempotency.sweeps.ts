import { acrossTenants } from '../../platform/work/across-tenants.ts'
import type { Sweep } from '../../platform/work/sweeps.ts'
import { ANSWERS_GONE } from '../../platform/kept-answers.ts'
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
    for (const { tenant_id } of tenants) {
      const scope = system.tenant(tenant_id, { type: 'system' })
      deleted += await scope.tx(async (tx) => {
        const ids = await deleteOlderThan(tx, before, limit)
        if (ids.length > 0) await scope.signals.emit(ANSWERS_GONE, scope, tx, ids)
        return ids.length
      })
    }
    return deleted
  },
}
