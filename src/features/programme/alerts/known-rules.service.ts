import { cacheOf } from '../../../platform/caches.ts'
import type { ReadTx } from '../../../platform/database.ts'
import type { TenantId } from '../../../platform/ids.ts'
import type { Scope } from '../../../platform/scope.ts'
import { listEnabled, type RuleRow, type Rules } from './rules.store.ts'

// Of workspaces with a completed response lately.
const KNOWN = cacheOf<TenantId, Rules>({ max: 1_000 })

/** The enabled rules as this transaction sees them. Only a changed revision reads them again. */
export async function readRules(scope: Scope, tx: ReadTx): Promise<RuleRow[]> {
  const known = scope.caches.of(KNOWN)
  const before = known.get(tx.tenantId)
  const now = await listEnabled(tx, before)
  if (now !== before) tx.afterCommit(() => known.set(tx.tenantId, now))
  return now.rules
}
