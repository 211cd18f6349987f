import { sql, type SystemTx, type TenantTx } from '../../platform/database.ts'
import { oldestRows, type AgeRange, type OldestRow } from '../../platform/retention.ts'

export function listOldest(tx: SystemTx): Promise<OldestRow[]> {
  return tx.many(oldestRows('outgoing_emails'))
}

/** Deletes mail that was sent or given up before a moment; returns its ids in order. */
export async function deleteFinished(tx: TenantTx, range: AgeRange): Promise<string[]> {
  const rows = await tx.many(sql<{ id: string }>`
    with finished as materialized (
      select id from outgoing_emails
      where tenant_id = ${tx.tenantId} and id < ${range.below} and ${range.after ? sql`id > ${range.after}` : sql`true`} and finished_at < ${range.before}
      order by id limit ${range.limit} for update skip locked),
    deleted as (
      delete from outgoing_emails where tenant_id = ${tx.tenantId} and id = any(array(select id from finished)) returning id)
    select id from deleted order by id`)
  return rows.map((row) => row.id)
}
