import type { SystemTx } from '../../../platform/database/database.ts'
import type { SystemScope } from '../../../platform/scope.ts'
import type { Among } from '../../../platform/work/across-tenants.ts'
import { dueBy, hasDue, listDueTenants, untilNoneIsDue } from '../../../platform/work/due-tenants.ts'
import type { SweepOptions } from '../../../platform/work/sweeps.ts'
import * as store from './batches.store.ts'

const BATCHES_AT_ONCE = 5

export function hasLateValues(tx: SystemTx, now: Date, among: Among): Promise<boolean> {
  return hasDue(tx, among, dueBy('batches', 'undo_until', now))
}

export async function forgetLateValues(system: SystemScope, options: SweepOptions): Promise<number> {
  return untilNoneIsDue(
    options,
    (after) => listDueTenants(system, dueBy('batches', 'undo_until', system.clock.now()), after),
    (tenantId) => {
      const scope = system.tenant(tenantId, { type: 'system' })
      return scope.tx((tx) => store.forgetKept(tx, scope.clock.now(), BATCHES_AT_ONCE))
    },
  )
}
