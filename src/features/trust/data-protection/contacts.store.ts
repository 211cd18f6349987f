import type { Among } from '../../../platform/work/across-tenants.ts'
import {
  joinArrays,
  type ReadTx,
  sql,
  type Statement,
  type SystemTx,
  type TenantTx,
} from '../../../platform/database/database.ts'
import type { TenantId } from '../../../platform/ids.ts'
import type { TypedPlace } from '../../../platform/personal.ts'

// It reads a table of the tenant, so that a cluster runs it on the tenant's node.
/** One row for each contact. Rows of several texts join into one statement. */
export function insertContacts(tx: TenantTx, place: TypedPlace, rows: Array<{ id: string; hash: string }>): Statement {
  return {
    name: 'insert-typed-contacts',
    text: `
      insert into typed_contacts (tenant_id, hash, place, row_id)
      select w.tenant_id, given.hash, given.place, given.row_id
      from unnest($2::text[], $3::text[], $4::uuid[]) as given(hash, place, row_id)
      cross join lateral (select tenant_id from workspaces where tenant_id = $1 offset 0) w
      on conflict do nothing`,
    values: [tx.tenantId, rows.map(({ hash }) => hash), rows.map(() => place), rows.map(({ id }) => id)],
    combine: joinArrays,
  }
}

export async function listRows(tx: ReadTx, place: TypedPlace, hashes: string[]): Promise<string[]> {
  const rows = await tx.many(sql<{ row_id: string }>`
    select distinct row_id from typed_contacts
    where tenant_id = ${tx.tenantId} and hash = any(${hashes}::text[]) and place = ${place}`)
  return rows.map(({ row_id }) => row_id)
}

export function deleteRows(tx: TenantTx, ids: string[]): Promise<number> {
  return tx.run(sql`
    delete from typed_contacts
    where tenant_id = ${tx.tenantId} and row_id = any(${ids}::uuid[]) and row_id >= '00000000-0000-0000-0000-000000000000'`)
}

/** Some contacts of a row. */
export function deleteContacts(tx: TenantTx, id: string, hashes: string[]): Promise<number> {
  return tx.run(sql`
    delete from typed_contacts
    where tenant_id = ${tx.tenantId} and row_id = ${id} and row_id >= '00000000-0000-0000-0000-000000000000'
      and hash = any(${hashes}::text[])`)
}

/** Workspaces with texts that are older than the index. */
export async function listUnscanned(
  tx: SystemTx,
  { reachable }: Among,
  place: TypedPlace,
  limit: number,
): Promise<Array<{ tenant_id: TenantId }>> {
  return tx.many(sql<{ tenant_id: TenantId }>`
    select tenant_id from workspaces w
    where ${reachable} and not exists (
      select from typed_contact_scans s
      where s.tenant_id = w.tenant_id and s.place = ${place} and s.finished_at is not null)
    order by tenant_id limit ${limit}`)
}

export interface Scan {
  until_id: string
  cursor: string | null
  finished_at: Date | null
}

/** The scan of a workspace, begun with this limit if there is none. Locked, so that one process does each batch. */
export async function lockScan(tx: TenantTx, place: TypedPlace, untilId: string): Promise<Scan> {
  await tx.run(sql`
    insert into typed_contact_scans (tenant_id, place, until_id) values (${tx.tenantId}, ${place}, ${untilId})
    on conflict do nothing`)
  return tx.one(sql<Scan>`
    select until_id, cursor, finished_at from typed_contact_scans
    where tenant_id = ${tx.tenantId} and place = ${place} for update`)
}

export function updateScan(
  tx: TenantTx,
  place: TypedPlace,
  cursor: string | null,
  finishedAt: Date | null,
): Promise<number> {
  return tx.run(sql`
    update typed_contact_scans set cursor = coalesce(${cursor}, cursor), finished_at = ${finishedAt}
    where tenant_id = ${tx.tenantId} and place = ${place}`)
}
