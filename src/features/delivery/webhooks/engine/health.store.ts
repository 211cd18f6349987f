import { type TenantTx, type ReadTx, type SystemTx, sql } from '../../../../platform/database/database.ts'
import { keyOf, type HealthCount } from './health-tally.ts'
import { backlogOf, type BacklogRow } from '../../../../platform/work/due-tenants.ts'

const ADD = `
  insert into webhook_health as h (tenant_id, webhook_id, hour, succeeded, latency_class, attempts)
  select w.tenant_id, w.id, s.hour, s.succeeded, s.latency_class, s.attempts
  from unnest($2::uuid[], $3::timestamptz[], $4::boolean[], $5::smallint[], $6::integer[])
    as s (webhook_id, hour, succeeded, latency_class, attempts)
  cross join lateral (select tenant_id, id from webhooks where tenant_id = $1 and id = s.webhook_id offset 0) w
  on conflict (tenant_id, webhook_id, hour, succeeded, latency_class)
  do update set attempts = h.attempts + excluded.attempts`

/** Adds counts with COMMIT. A webhook that is gone has none. */
export function addHealth(tx: TenantTx, counts: HealthCount[]): void {
  // Writers that add to the same rows do so in one order.
  const sorted = counts.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
  tx.atCommit({
    name: 'add-webhook-health',
    text: ADD,
    values: [
      tx.tenantId,
      sorted.map((count) => count.webhookId),
      sorted.map((count) => count.hour),
      sorted.map((count) => count.succeeded),
      sorted.map((count) => count.latencyClass),
      sorted.map((count) => count.attempts),
    ],
  })
}

/** Removes older hours of the tenant with COMMIT. */
export function deleteHealthBefore(tx: TenantTx, before: Date): void {
  tx.atCommit({
    name: 'delete-webhook-health',
    text: 'delete from webhook_health where tenant_id = $1 and hour < $2',
    values: [tx.tenantId, before],
  })
}

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
