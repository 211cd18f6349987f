import { sql, type TenantTx } from '../../../platform/database/database.ts'
import type { Id } from '../../../platform/ids.ts'
import { listOldestRows, type AgeRange, type OldestRow } from '../../../platform/work/retention.ts'
import type { SystemScope } from '../../../platform/scope.ts'

export function listOldest(system: SystemScope): Promise<OldestRow[]> {
  return listOldestRows(system, 'responses')
}

interface RemovedResponse {
  id: Id<'response'>
  survey_id: Id<'survey'>
  recorded_at: Date
}

/** Deletes responses that were recorded before a time, in id order. Skips those that are being written. */
export async function deleteRecorded(tx: TenantTx, range: AgeRange): Promise<RemovedResponse[]> {
  return tx.many(sql<RemovedResponse>`
    with recorded as materialized (
      select id from responses
      where tenant_id = ${tx.tenantId} and id < ${range.below} and ${range.after ? sql`id > ${range.after}` : sql`true`} and recorded_at < ${range.before}
      order by id limit ${range.limit} for update skip locked),
    deleted as (
      delete from responses where tenant_id = ${tx.tenantId} and id = any(array(select id from recorded)) returning id, survey_id, recorded_at)
    select id, survey_id, recorded_at from deleted order by id`)
}
