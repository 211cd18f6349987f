import { type ReadTx, sql } from '../../../../platform/database/database.ts'
import type { Id } from '../../../../platform/ids.ts'

export interface HealthRow {
  hour: Date
  succeeded: boolean
  latency_class: number
  attempts: number
}

/** The counts of a webhook since an hour, by a range of the key: at most some hundred rows an hour. */
export function listHealth(tx: ReadTx, webhookId: Id<'webhook'>, since: Date): Promise<HealthRow[]> {
  return tx.many(sql<HealthRow>`
    select hour, succeeded, latency_class, attempts from webhook_health
    where tenant_id = ${tx.tenantId} and webhook_id = ${webhookId} and hour >= ${since} order by hour`)
}
