import { backlogOf, type BacklogRow } from '../../../../platform/database/backlog.ts'
import { type ReadTx, type SystemTx, sql } from '../../../../platform/database/database.ts'

export function listDeliveryBacklog(tx: SystemTx): Promise<BacklogRow[]> {
  return tx.many(backlogOf('webhook_queue', sql`next_attempt_at is not null`, sql`next_attempt_at`))
}

export interface QueueDepth {
  depth: number
  oldest_at: Date | null
}

// A list by tenant says this to be offered its index (docs/decisions/0022); every row meets it.
const LISTED = sql`delivery_id >= ${'00000000-0000-0000-0000-000000000000'}`

export function readQueueDepth(tx: ReadTx): Promise<QueueDepth> {
  return tx.one(sql<QueueDepth>`
    select count(*) as depth, min(created_at) as oldest_at from webhook_queue
    where tenant_id = ${tx.tenantId} and ${LISTED} and next_attempt_at is not null`)
}
