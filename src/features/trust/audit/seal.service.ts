import { takeUnsealed } from '../../../platform/audit.ts'
import { listDueTenants, untilNoneIsDue } from '../../../platform/work/due-tenants.ts'
import type { TenantId } from '../../../platform/ids.ts'
import type { Scope, SystemScope } from '../../../platform/scope.ts'
import type { SweepOptions } from '../../../platform/work/sweeps.ts'
import { sealAfter, type Head } from './chain.ts'
import * as store from './seals.store.ts'

// Hashing so many takes about 5 ms.
const BATCH = 250

/** Seals the waiting entries of every workspace. Returns the number. */
export function sealWaiting(system: SystemScope, options: SweepOptions): Promise<number> {
  const list = (after: TenantId | null) => listDueTenants(system, store.WAITING, after)
  return untilNoneIsDue(options, list, (tenantId) => sealBatch(system.tenant(tenantId, { type: 'system' })), BATCH)
}

/** Gives waiting entries the next numbers. Entries and seals are one transaction, so a crash leaves both or neither. */
export function sealBatch(scope: Scope): Promise<number> {
  return scope.tx(async (tx) => {
    const rows = await takeUnsealed(tx, BATCH)
    if (rows.length === 0) return 0
    let head: Head | null = (await store.findHead(tx)) ?? null
    const seals = []
    for (const row of rows) {
      const seal = sealAfter(head, row)
      seals.push({ ...seal, entryId: row.id })
      head = seal
    }
    await store.insertSeals(tx, seals)
    return rows.length
  })
}
