import { sql, type TenantTx } from '../../../platform/database/database.ts'
import { listOldestRows, type AgeRange, type OldestRow } from '../../../platform/work/retention.ts'
import type { SystemScope } from '../../../platform/scope.ts'

export function listOldest(system: SystemScope): Promise<OldestRow[]> {
  return listOldestRows(system, 'sends')
}

export interface OldSend {
  id: string
  provider_id: string | null
}

/** Deletes sends that were settled before a moment, those of an unfinished chain aside; in the order of their ids. */
export function deleteSends(tx: TenantTx, range: AgeRange): Promise<OldSend[]> {
  return tx.many(sql<OldSend>`
    with old as materialized (
      select id from sends
      where tenant_id = ${tx.tenantId} and id < ${range.below} and ${range.after ? sql`id > ${range.after}` : sql`true`}
        and created_at < ${range.before} and status not in ('queued', 'calling')
      order by id limit ${range.limit} for update skip locked),
    deleted as (
      delete from sends where tenant_id = ${tx.tenantId} and id = any(array(select id from old))
      returning id, provider_id)
    select id, provider_id from deleted order by id`)
}
