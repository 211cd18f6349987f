import { backlogOf, type BacklogRow } from '../../../../platform/backlog.ts'
import { sql, type SystemTx } from '../../../../platform/database.ts'

export function listDeliveryBacklog(tx: SystemTx): Promise<BacklogRow[]> {
  return tx.many(backlogOf('webhook_queue', sql`next_attempt_at is not null`, sql`next_attempt_at`))
}

/** Replays and backfills that have not ended. */
export function listJobBacklog(tx: SystemTx): Promise<BacklogRow[]> {
  return tx.many(backlogOf('webhook_jobs', sql`true`, sql`created_at`))
}
