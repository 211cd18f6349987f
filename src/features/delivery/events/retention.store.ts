import { sql, type TenantTx } from '../../../platform/database/database.ts'
import type { Id } from '../../../platform/ids.ts'
import { listOldestRows, type AgeRange, type OldestRow } from '../../../platform/work/retention.ts'
import type { SystemScope } from '../../../platform/scope.ts'

export function listOldest(system: SystemScope): Promise<OldestRow[]> {
  return listOldestRows(system, 'events')
}

/** Locks old events, so that a backfill cannot enqueue them meanwhile. Skips those that a backfill holds. */
export async function lockOld(tx: TenantTx, range: AgeRange): Promise<Id<'event'>[]> {
  const rows = await tx.many(sql<{ id: Id<'event'> }>`
    select id from events
    where tenant_id = ${tx.tenantId} and id < ${range.below} and ${range.after ? sql`id > ${range.after}` : sql`true`} and created_at < ${range.before}
    order by id limit ${range.limit} for update skip locked`)
  return rows.map((row) => row.id)
}

export function deleteEvents(tx: TenantTx, ids: Id<'event'>[]): Promise<number> {
  return tx.run(sql`delete from events where tenant_id = ${tx.tenantId} and id = any(${ids}::uuid[])`)
}
