import { type ReadTx, sql, type TenantTx } from '../../../platform/database/database.ts'
import type { Id } from '../../../platform/ids.ts'
import { leads, type LeadRow } from './lead.entity.ts'

/** Leads in id order. */
export function listPage(tx: ReadTx, after: string | null, limit: number): Promise<LeadRow[]> {
  return tx.many(sql<LeadRow>`
    select ${leads.list()} from leads where tenant_id = ${tx.tenantId} and ${after ? sql`id > ${after}` : sql`true`} order by id limit ${limit}`)
}

export function listRows(tx: ReadTx, ids: string[]): Promise<LeadRow[]> {
  return tx.many(
    sql<LeadRow>`select ${leads.list()} from leads where tenant_id = ${tx.tenantId} and id = any(${ids}::uuid[]) order by id`,
  )
}

export function lockRows(tx: TenantTx, ids: string[]): Promise<LeadRow[]> {
  return tx.many(sql<LeadRow>`
    select ${leads.list()} from leads where tenant_id = ${tx.tenantId} and id = any(${ids}::uuid[]) order by id for update`)
}

export function keepWords(
  tx: TenantTx,
  id: Id<'lead'>,
  { contact, tags }: { contact: string; tags: string[] },
): Promise<number> {
  return tx.run(
    sql`update leads set contact = ${contact}, tags = ${tags}::text[] where tenant_id = ${tx.tenantId} and id = ${id}`,
  )
}

export function listOfPerson(tx: ReadTx, hashes: string[], responseIds: string[]): Promise<LeadRow[]> {
  return tx.many(sql<LeadRow>`
    select ${leads.list()} from leads
    where tenant_id = ${tx.tenantId} and (email_hash = any(${hashes}::text[]) or phone_hash = any(${hashes}::text[]) or response_id = any(${responseIds}::uuid[]))
    order by id`)
}

export function deleteLeads(tx: TenantTx, ids: string[]): Promise<number> {
  return tx.run(sql`delete from leads where tenant_id = ${tx.tenantId} and id = any(${ids}::uuid[])`)
}
