import type { TenantTx } from '../../../platform/database/database.ts'
import type { Id } from '../../../platform/ids.ts'
import type { Scope } from '../../../platform/scope.ts'

/** The wake topic of the delivery engine. */
export const DELIVERIES = 'webhook-deliveries'

/** Has an engine send these rows of one webhook, once `tx` has committed. */
export function wakeForRows(scope: Scope, tx: TenantTx, webhookId: Id<'webhook'>, ids: string[]): void {
  scope.wakeAfter(tx, DELIVERIES, { group: webhookId, ids })
}

/** Has the engines look for everything that is due, once `tx` has committed. */
export function wakeForDue(scope: Scope, tx: TenantTx): void {
  scope.wakeAfter(tx, DELIVERIES, { group: '', ids: [] })
}
