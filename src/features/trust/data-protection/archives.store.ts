import { type ReadTx, sql, type TenantTx } from '../../../platform/database/database.ts'
import type { Id } from '../../../platform/ids.ts'

interface Archive {
  id: Id<'privacyRequest'>
  expiresAt: Date
  /** By these an erasure finds the archive. */
  hashes: string[]
  responseIds: string[]
}

/** The row by which an archive is found. It is part 0, and empty. */
export function insertArchive(tx: TenantTx, { id, expiresAt, hashes, responseIds }: Archive): Promise<number> {
  return tx.run(sql`
    insert into privacy_archives (tenant_id, id, part, sealed, hashes, response_ids, expires_at)
    values (${tx.tenantId}, ${id}, 0, '', ${hashes}::text[], ${responseIds}::uuid[], ${expiresAt})`)
}

interface NewPart extends Part {
  id: Id<'privacyRequest'>
  expiresAt: Date
}

export function insertPart(tx: TenantTx, { id, part, sealed, expiresAt }: NewPart): Promise<number> {
  return tx.run(sql`
    insert into privacy_archives (tenant_id, id, part, sealed, hashes, response_ids, expires_at)
    values (${tx.tenantId}, ${id}, ${part}, ${sealed}, '{}', '{}', ${expiresAt})`)
}

/** How many parts of an archive stand: fewer than were written if an erasure took its first row with what there was. */
export async function countParts(tx: ReadTx, id: Id<'privacyRequest'>): Promise<number> {
  const { n } = await tx.one(sql<{ n: number }>`
    select count(*)::integer as n from privacy_archives where tenant_id = ${tx.tenantId} and id = ${id}`)
  return n - 1
}

interface Part {
  /** From 1 on. */
  part: number
  sealed: string
}

/** The last part of an archive that has not expired. */
export function findLastPart(tx: ReadTx, id: Id<'privacyRequest'>, now: Date): Promise<Part | undefined> {
  return tx.maybe(sql<Part>`
    select part, sealed from privacy_archives
    where tenant_id = ${tx.tenantId} and id = ${id} and part > 0 and expires_at > ${now} order by part desc limit 1`)
}

export function findPart(tx: ReadTx, id: Id<'privacyRequest'>, part: number): Promise<Part | undefined> {
  return tx.maybe(sql<Part>`
    select part, sealed from privacy_archives where tenant_id = ${tx.tenantId} and id = ${id} and part = ${part}`)
}

/** Archives of a person, by any of their addresses or responses. Few are kept at a time. */
export async function listArchivesOf(
  tx: ReadTx,
  hashes: string[],
  responseIds: string[],
): Promise<Id<'privacyRequest'>[]> {
  const rows = await tx.many(sql<{ id: Id<'privacyRequest'> }>`
    select id from privacy_archives
    where tenant_id = ${tx.tenantId} and part = 0 and (hashes && ${hashes}::text[] or response_ids && ${responseIds}::uuid[])
    order by id`)
  return rows.map(({ id }) => id)
}

export function listExpiries(
  tx: ReadTx,
  ids: string[],
): Promise<Array<{ id: Id<'privacyRequest'>; expires_at: Date }>> {
  return tx.many(sql<{ id: Id<'privacyRequest'>; expires_at: Date }>`
    select id, expires_at from privacy_archives
    where tenant_id = ${tx.tenantId} and id = any(${ids}::uuid[]) and part = 0 order by id`)
}

export async function deleteArchives(tx: TenantTx, ids: string[]): Promise<number> {
  const rows = await tx.many(sql<{ part: number }>`
    delete from privacy_archives where tenant_id = ${tx.tenantId} and id = any(${ids}::uuid[]) returning part`)
  return rows.filter(({ part }) => part === 0).length
}

export function deleteExpired(tx: TenantTx, now: Date): Promise<number> {
  return tx.run(
    sql`delete from privacy_archives where tenant_id = ${tx.tenantId} and expires_at <= ${now} and expires_at >= '-infinity'`,
  )
}
