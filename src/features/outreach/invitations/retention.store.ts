import { sql, type SystemTx, type TenantTx } from '../../../platform/database.ts'
import { oldestRows, type AgeRange, type OldestRow } from '../../../platform/retention.ts'

export function listOldest(tx: SystemTx): Promise<OldestRow[]> {
  return tx.many(oldestRows('invitations'))
}

/** Deletes invitations of before a moment that no send names; tells which were looked at, in the order of their ids. */
export async function deleteInvitations(tx: TenantTx, range: AgeRange): Promise<{ looked: string[]; removed: number }> {
  const rows = await tx.many(sql<{ id: string; gone: boolean }>`
    with old as materialized (
      select id from invitations
      where tenant_id = ${tx.tenantId} and id < ${range.below} and ${range.after ? sql`id > ${range.after}` : sql`true`} and created_at < ${range.before}
      order by id limit ${range.limit} for update skip locked),
    deleted as (
      delete from invitations i where i.tenant_id = ${tx.tenantId} and i.id = any(array(select id from old))
        and not exists (select from sends s where s.tenant_id = ${tx.tenantId} and s.invitation_id = i.id)
      returning i.id)
    select old.id, deleted.id is not null as gone from old left join deleted on deleted.id = old.id order by old.id`)
  return { looked: rows.map(({ id }) => id), removed: rows.filter(({ gone }) => gone).length }
}
