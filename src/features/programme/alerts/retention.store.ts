import { sql, type TenantTx } from '../../../platform/database/database.ts'
import { listOldestRows, type AgeRange, type OldestRow } from '../../../platform/work/retention.ts'
import type { SystemScope } from '../../../platform/scope.ts'

export function listOldest(system: SystemScope): Promise<OldestRow[]> {
  return listOldestRows(system, 'alerts')
}

/** Deletes alerts that were opened before a time, with their timelines. Skips those that somebody changes now. */
export async function deleteOpened(tx: TenantTx, range: AgeRange): Promise<string[]> {
  const rows = await tx.many(sql<{ id: string }>`
    with old as materialized (
      select id from alerts
      where tenant_id = ${tx.tenantId} and id < ${range.below} and ${range.after ? sql`id > ${range.after}` : sql`true`} and opened_at < ${range.before}
      order by id limit ${range.limit} for update skip locked),
    deleted as (
      delete from alerts where tenant_id = ${tx.tenantId} and id = any(array(select id from old)) returning id)
    select id from deleted order by id`)
  return rows.map(({ id }) => id)
}
