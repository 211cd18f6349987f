import { type RawBuilder, type ReadTx, sql, type TenantTx } from '../../../platform/database/database.ts'
import type { ExportKey } from '../../../platform/export-source.ts'
import type { Id } from '../../../platform/ids.ts'
import { readFitting, type Fitting } from '../../../platform/fields/fitting.ts'
import { readPage, type Sorted, type PageRequest } from '../../../platform/fields/sorting.ts'
import { leads, type LeadRow } from './lead.entity.ts'

const COLUMNS = leads.list()

/** Adds a lead, unless another one has its email or phone. Returns how many it added. */
export function insertLead(tx: TenantTx, row: LeadRow): Promise<number> {
  return tx.run(sql`
    insert into leads (tenant_id, ${COLUMNS})
    values (${tx.tenantId}, ${leads.values(row)})
    on conflict do nothing`)
}

/** Throws a unique violation if another lead has its email or phone. */
export function updateLead(tx: TenantTx, row: LeadRow): Promise<number> {
  return tx.run(sql`
    update leads set ${leads.changes(row)}
    where tenant_id = ${tx.tenantId} and id = ${row.id}`)
}

export function deleteLead(tx: TenantTx, id: Id<'lead'>): Promise<number> {
  return tx.run(sql`delete from leads where tenant_id = ${tx.tenantId} and id = ${id}`)
}

export function findLead(tx: ReadTx, id: Id<'lead'>): Promise<LeadRow | undefined> {
  return tx.maybe(sql<LeadRow>`select ${COLUMNS} from leads where tenant_id = ${tx.tenantId} and id = ${id}`)
}

export function lockLead(tx: TenantTx, id: Id<'lead'>): Promise<LeadRow | undefined> {
  return tx.maybe(sql<LeadRow>`select ${COLUMNS} from leads where tenant_id = ${tx.tenantId} and id = ${id} for update`)
}

/** The leads with this email or phone, locked: at most two. */
export function lockByContact(tx: TenantTx, email: string | null, phone: string | null): Promise<LeadRow[]> {
  return tx.many(sql<LeadRow>`
    select ${COLUMNS} from leads where tenant_id = ${tx.tenantId} and (email_hash = ${email} or phone_hash = ${phone})
    order by id for update`)
}

/** As many as fit. @param condition a filter on the alias `l`. */
export async function listLeads(
  tx: ReadTx,
  condition: RawBuilder<unknown>,
  page: PageRequest,
): Promise<Fitting<LeadRow & Sorted>> {
  const found = await readPage(page, leads.sorts, 'l', 'all', ({ value, where, order, limit }) =>
    tx.many(sql<Sorted & { id: Id<'lead'> }>`
      select l.id, ${value} from leads l
      where l.tenant_id = ${tx.tenantId} and ${condition} and ${where} order by ${order} limit ${limit}`),
  )
  return readFitting(tx, { table: 'leads', columns: COLUMNS }, found, page)
}

/** @param condition a filter on the alias `l`. */
export function countByStatus(
  tx: ReadTx,
  condition: RawBuilder<unknown>,
): Promise<Array<{ status: LeadRow['status']; n: number }>> {
  return tx.many(sql<{ status: LeadRow['status']; n: number }>`
    select l.status, count(*)::integer as n from leads l
    where l.tenant_id = ${tx.tenantId} and ${condition} group by l.status`)
}

export function listByIds(tx: ReadTx, ids: string[]): Promise<LeadRow[]> {
  return tx.many(
    sql<LeadRow>`select ${COLUMNS} from leads where tenant_id = ${tx.tenantId} and id = any(${ids}::uuid[]) order by id`,
  )
}

/** The bytes of these leads, as `id`, `member` and `bytes`. */
export function sizesOf(tx: ReadTx, keys: ExportKey[]): RawBuilder<unknown> {
  return sql`
    select id, null::text as member, coalesce(octet_length(contact), 0) as bytes from leads
    where tenant_id = ${tx.tenantId} and id = any(${keys.map(({ id }) => id)}::uuid[])`
}

/** @param condition a filter on the alias `l`. */
export function selectKeys(tx: ReadTx, condition: RawBuilder<unknown>): RawBuilder<ExportKey> {
  return sql<ExportKey>`
    select l.id, null::text as member from leads l where l.tenant_id = ${tx.tenantId} and ${condition}`
}

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
