import type { Feature } from '../platform/feature.ts'
import { personal } from './idempotency/idempotency.personal.ts'
import { acrossTenants } from '../platform/work/across-tenants.ts'
import type { Sweep } from '../platform/work/sweeps.ts'
import { ANSWERS_GONE } from '../platform/personal.ts'
import { REPLAY_HOURS } from './idempotency/idempotency.ts'
import { deleteOlderThan, listTenantsWithOld } from './idempotency/idempotency.store.ts'
import { deleteExpired } from './limits/rate-limit.ts'

// Long after the window, so that no counter in use is deleted. The library uses the clocks of the hosts.
const AFTER_MS = 3_600_000

/** Deletes counters whose window is over. */
export const expiredCountersSweep: Sweep = {
  name: 'rate-limits.expire',
  everySeconds: 600,
  run: (system, { limit }) => system.tx((tx) => deleteExpired(tx, system.clock.now().getTime() - AFTER_MS, limit)),
}

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

/** Background work on the tables that every route uses. */
export const upkeep = {
  name: 'http',
  sweeps: [expireKeysSweep, expiredCountersSweep],
  retention: [
    { tables: ['idempotency_keys'], sweep: expireKeysSweep },
    { tables: ['rate_limits'], sweep: expiredCountersSweep },
  ],
  personal,
} satisfies Feature
