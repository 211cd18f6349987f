import { sql, type TenantTx } from '../../../platform/database/database.ts'
import type { Id } from '../../../platform/ids.ts'
import { listOldestRows, type AgeRange, type OldestRow } from '../../../platform/work/retention.ts'
import type { SystemScope } from '../../../platform/scope.ts'

export function listOldest(system: SystemScope): Promise<OldestRow[]> {
  return listOldestRows(system, 'invitations')
}

/** Locks invitations from before a time, in id order. */
export async function lockOldInvitations(tx: TenantTx, range: AgeRange): Promise<Id<'invitation'>[]> {
  const rows = await tx.many(sql<{ id: Id<'invitation'> }>`
    select id from invitations
    where tenant_id = ${tx.tenantId} and id < ${range.below} and ${range.after ? sql`id > ${range.after}` : sql`true`}
      and created_at < ${range.before}
    order by id limit ${range.limit} for update skip locked`)
  return rows.map(({ id }) => id)
}

export function deleteInvitations(tx: TenantTx, ids: Id<'invitation'>[]): Promise<number> {
  return tx.run(sql`delete from invitations where tenant_id = ${tx.tenantId} and id = any(${ids}::uuid[])`)
}
