import { cacheOf } from '../../../../platform/config/caches.ts'
import type { ReadTx } from '../../../../platform/database/database.ts'
import type { TenantId } from '../../../../platform/ids.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { readSubscribers } from '../../../delivery/webhooks/staging/subscribers.service.ts'
import { listEnabled, type RuleRow } from './rules.store.ts'

/** The enabled rules at one revision of those who hear of responses. */
interface Rules {
  revision: string
  rules: RuleRow[]
}

// Of workspaces with a completed response lately.
const KNOWN = cacheOf<TenantId, Rules>({ max: 1_000 })

/** The enabled rules as this transaction sees them. Only a change of a rule or webhook reads them again. */
export async function readRules(scope: Scope, tx: ReadTx): Promise<RuleRow[]> {
  const known = scope.caches.of(KNOWN)
  const { revision } = await readSubscribers(scope, tx)
  const before = known.get(tx.tenantId)
  if (before?.revision === revision) return before.rules
  const rules = await listEnabled(tx)
  tx.afterCommit(() => known.set(tx.tenantId, { revision, rules }))
  return rules
}
