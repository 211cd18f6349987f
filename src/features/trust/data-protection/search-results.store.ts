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

/** Some places, or all but these. */
export interface Places {
  isIn: boolean
  names: readonly string[]
}

/** The next pieces of a request, in the order in which they were found. */
export function listPieces(
  tx: ReadTx,
  request: Id<'privacyRequest'>,
  { places, after, limit }: { places: Places; after: string | null; limit: number },
): Promise<PieceRow[]> {
  return tx.many(sql<PieceRow>`
    select id, place, sealed from privacy_found
    where tenant_id = ${tx.tenantId} and request_id = ${request} and ${after ? sql`id > ${after}` : sql`true`}
      and (place = any(${places.names}::text[])) = ${places.isIn}
    order by id limit ${limit}`)
}

export function deletePiece(tx: TenantTx, request: Id<'privacyRequest'>, id: string): Promise<number> {
  return tx.run(
    sql`delete from privacy_found where tenant_id = ${tx.tenantId} and request_id = ${request} and id = ${id}`,
  )
}

/** @param kept places whose pieces stay. */
export function deletePieces(
  tx: TenantTx,
  request: Id<'privacyRequest'>,
  kept: readonly string[] = [],
): Promise<number> {
  return tx.run(sql`
    delete from privacy_found
    where tenant_id = ${tx.tenantId} and request_id = ${request} and place <> all(${kept}::text[])`)
}

export interface WrittenRow {
  id: string
  /** Of rows that share their id. */
  version: number
  /** JSON. */
  texts: string
}

/** Words of the rows of a table after one of them. The names are those of the list of what members write. */
export function listTexts(
  tx: ReadTx,
  table: string,
  {
    keys,
    columns,
    after,
    limit,
  }: { keys: string[]; columns: readonly string[]; after: WrittenRow | null; limit: number },
): Promise<WrittenRow[]> {
  const [id = 'id', version] = keys
  const texts = sql.join(columns.map((column) => sql`to_jsonb(${sql.ref(column)})`))
  const place = sql.join(keys.map((key) => sql.ref(key)))
  const following = after && (version ? sql`(${after.id}::uuid, ${after.version}::integer)` : sql`(${after.id}::uuid)`)
  return tx.many(sql<WrittenRow>`
    select ${sql.ref(id)} as id, ${version ? sql.ref(version) : sql`0`} as version, jsonb_build_array(${texts})::text as texts
    from ${sql.table(table)}
    where tenant_id = ${tx.tenantId} and ${following ? sql`(${place}) > ${following}` : sql`true`}
    order by ${place} limit ${limit}`)
}
