import type { TenantTx } from '../../platform/database.ts'
import type { Scope } from '../../platform/scope.ts'
import type { NewEvent } from './event-types.ts'

/**
 * Writes an event and one delivery row for each webhook that subscribes to it, in the transaction of
 * its cause: both commit or neither does. A second event of the same source is not written.
 * @returns how many deliveries were enqueued.
 */
export async function stageEvent(_scope: Scope, _tx: TenantTx, _event: NewEvent): Promise<{ enqueued: number }> {
  return { enqueued: 0 }
}
