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

export interface SummaryRow {
  webhook_id: Id<'webhook'>
  /** One of the two is null: counts are by time, and by class. */
  at: Date | null
  latency_class: number | null
  attempts: number
  succeeded: number
}

/**
 * The counts of some webhooks since a moment, by 6 hours and by class of latency. Hours before the first 6 hours belong
 * to them, so that the sum is that of all hours.
 */
export function listSummaries(
  tx: ReadTx,
  ids: Id<'webhook'>[],
  { since, first }: { since: Date; first: Date },
): Promise<SummaryRow[]> {
  return tx.many(sql<SummaryRow>`
    select webhook_id, at, latency_class, sum(attempts)::int as attempts,
      coalesce(sum(attempts) filter (where succeeded), 0)::int as succeeded
    from (
      select webhook_id, greatest(date_bin('6 hours', hour, 'epoch'), ${first}::timestamptz) as at, latency_class, attempts, succeeded from webhook_health
      where tenant_id = ${tx.tenantId} and webhook_id = any(${ids}::uuid[]) and hour >= ${since}) h
    group by grouping sets ((webhook_id, at), (webhook_id, latency_class))`)
}

export interface BacklogRow {
  webhook_id: Id<'webhook'>
  waiting: number
  dead_lettered: number
}

/** How many deliveries of some webhooks have not ended, and how many are dead letters. */
export function listBacklogs(tx: ReadTx, ids: Id<'webhook'>[]): Promise<BacklogRow[]> {
  return tx.many(sql<BacklogRow>`
    select webhook_id, sum(waiting)::int as waiting, sum(dead)::int as dead_lettered
    from (
      select q.webhook_id, count(*) as waiting, 0 as dead from webhook_queue q
      where q.tenant_id = ${tx.tenantId} and q.webhook_id = any(${ids}::uuid[]) group by q.webhook_id
      union all
      select d.webhook_id, 0, count(*) from webhook_deliveries d
      where d.tenant_id = ${tx.tenantId} and d.dead_lettered and d.webhook_id = any(${ids}::uuid[]) group by d.webhook_id) c
    group by webhook_id`)
}

export interface FailureRow {
  id: Id<'webhook'>
  failing_since: Date | null
  last_failure_status: number | null
  last_failure_error: string | null
}

export function listFailures(tx: ReadTx, ids: Id<'webhook'>[]): Promise<FailureRow[]> {
  return tx.many(sql<FailureRow>`
    select id, failing_since, last_failure_status, last_failure_error from webhooks
    where tenant_id = ${tx.tenantId} and id = any(${ids}::uuid[])`)
}
