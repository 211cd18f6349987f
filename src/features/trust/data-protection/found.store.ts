import { type ReadTx, sql, type TenantTx } from '../../../platform/database/database.ts'
import type { Id } from '../../../platform/ids.ts'

/** Some keys of one place, sealed. */
export interface PieceRow {
  id: string
  place: string
  sealed: string
}

// It reads a table of the tenant, so that a cluster runs it on the tenant's node.
export function insertPieces(tx: TenantTx, request: Id<'privacyRequest'>, pieces: PieceRow[]): Promise<number> {
  return tx.run(sql`
    insert into privacy_found as f (tenant_id, request_id, id, place, sealed)
    select w.tenant_id, ${request}::uuid, given.id, given.place, given.sealed
    from unnest(${pieces.map(({ id }) => id)}::uuid[], ${pieces.map(({ place }) => place)}::text[],
      ${pieces.map(({ sealed }) => sealed)}::text[]) as given(id, place, sealed)
    cross join lateral (select tenant_id from workspaces where tenant_id = ${tx.tenantId} offset 0) w
    returning f.id`)
}

/** The next pieces of a request, in the order in which they were found. */
export function listPieces(
  tx: ReadTx,
  request: Id<'privacyRequest'>,
  { after, limit }: { after: string | null; limit: number },
): Promise<PieceRow[]> {
  return tx.many(sql<PieceRow>`
    select id, place, sealed from privacy_found
    where tenant_id = ${tx.tenantId} and request_id = ${request} and ${after ? sql`id > ${after}` : sql`true`}
    order by id limit ${limit}`)
}

export function deletePiece(tx: TenantTx, request: Id<'privacyRequest'>, id: string): Promise<number> {
  return tx.run(
    sql`delete from privacy_found where tenant_id = ${tx.tenantId} and request_id = ${request} and id = ${id}`,
  )
}

export function deletePieces(tx: TenantTx, request: Id<'privacyRequest'>): Promise<number> {
  return tx.run(sql`delete from privacy_found where tenant_id = ${tx.tenantId} and request_id = ${request}`)
}

/** Words of some rows of a table. The names are those of the list of what members write. */
export function listTexts(
  tx: ReadTx,
  table: string,
  key: string,
  columns: readonly string[],
  { offset, limit }: { offset: number; limit: number },
): Promise<Array<{ id: string; texts: unknown[] }>> {
  const texts = sql.join(columns.map((column) => sql`to_jsonb(${sql.ref(column)})`))
  return tx.many(sql<{ id: string; texts: unknown[] }>`
    select ${sql.ref(key)} as id, jsonb_build_array(${texts}) as texts from ${sql.table(table)}
    where tenant_id = ${tx.tenantId} order by 1, 2 offset ${offset} limit ${limit}`)
}
