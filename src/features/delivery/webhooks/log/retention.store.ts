import { type ReadTx, type TenantTx, sql } from '../../../../platform/database/database.ts'
import type { Id } from '../../../../platform/ids.ts'
import { listOldestRows, type AgeRange, type OldestRow } from '../../../../platform/work/retention.ts'
import type { SystemScope } from '../../../../platform/scope.ts'
import type { RemovedRow } from './ledger-cover.ts'

/**
 * Deletes deliveries of some events that were settled before a moment, with their attempts, and returns them. It locks
 * only rows that no claim takes, and passes over those that a replay holds. Arrays of ids keep the planner from
 * reading whole tables, as in a claim.
 */
export async function deleteSettled(
  tx: TenantTx,
  eventIds: string[],
  before: Date,
  limit: number,
): Promise<RemovedRow[]> {
  return tx.many(sql<RemovedRow>`
    with settled as materialized (
      select d.id from webhook_deliveries d
      where d.tenant_id = ${tx.tenantId} and d.event_id = any(${eventIds}::uuid[])
        and (d.status = 'delivered' or d.dead_lettered or d.abandoned)
        and d.created_at < ${before} and (d.delivered_at is null or d.delivered_at < ${before})
        and not exists (
          select from webhook_attempts a
          where a.tenant_id = ${tx.tenantId} and a.delivery_id = d.id and a.at >= ${before})
      limit ${limit} for update of d skip locked),
    attempts as (
      delete from webhook_attempts a
      where a.tenant_id = ${tx.tenantId} and a.delivery_id = any(array(select id from settled)))
    delete from webhook_deliveries d
    where d.tenant_id = ${tx.tenantId} and d.id = any(array(select id from settled))
    returning d.id, d.webhook_id, d.event, d.survey_id, d.created_at`)
}

/** Which of some events have a delivery left. */
export async function listCarried(tx: ReadTx, eventIds: string[]): Promise<Set<string>> {
  const rows = await tx.many(sql<{ event_id: string }>`
    select distinct event_id from webhook_deliveries
    where tenant_id = ${tx.tenantId} and event_id = any(${eventIds}::uuid[])`)
  return new Set(rows.map((row) => row.event_id))
}

export function listOldestAttempts(system: SystemScope): Promise<OldestRow[]> {
  return listOldestRows(system, 'webhook_attempts', 'delivery_id')
}

/** Deliveries with attempts, in the order of their ids. */
export async function listAttempted(tx: ReadTx, range: AgeRange): Promise<Id<'delivery'>[]> {
  const rows = await tx.many(sql<{ id: Id<'delivery'> }>`
    select distinct delivery_id as id from webhook_attempts
    where tenant_id = ${tx.tenantId} and delivery_id < ${range.below}
      and ${range.after ? sql`delivery_id > ${range.after}` : sql`true`}
    order by delivery_id limit ${range.limit}`)
  return rows.map((row) => row.id)
}

/** Deletes attempts made before a moment; those of an unfinished delivery stay. */
export function deleteAttempts(tx: TenantTx, deliveryIds: Id<'delivery'>[], before: Date): Promise<number> {
  return tx.run(sql`
    delete from webhook_attempts a
    where a.tenant_id = ${tx.tenantId} and a.delivery_id = any(${deliveryIds}::uuid[]) and a.at < ${before}
      and not exists (
        select from webhook_deliveries d
        where d.tenant_id = ${tx.tenantId} and d.id = a.delivery_id
          and d.status <> 'delivered' and not d.dead_lettered and not d.abandoned)`)
}
