import { joinArrays, type ReadTx, sql, type Statement, type TenantTx } from '../../../platform/database/database.ts'
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
    where tenant_id = ${tx.tenantId} and hash = any(${hashes}::text[]) and place = ${place} order by row_id`)
  return rows.map(({ row_id }) => row_id)
}

/** The next rows in the order of their ids. Each hash is a walk through its own part of the index. */
export async function listRowsAfter(
  tx: ReadTx,
  place: TypedPlace,
  hashes: string[],
  { after, limit }: { after: string | null; limit: number },
): Promise<string[]> {
  const rows = await tx.many(sql<{ row_id: string }>`
    select distinct row_id from unnest(${hashes}::text[]) as given(hash)
    cross join lateral (
      select c.row_id from typed_contacts c
      where c.tenant_id = ${tx.tenantId} and c.hash = given.hash and c.place = ${place}
        and ${after === null ? sql`true` : sql`c.row_id > ${after}::uuid`}
      order by c.row_id limit ${limit}) rows
    order by row_id limit ${limit}`)
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
