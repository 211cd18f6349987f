import { sql, type ReadTx, type TenantTx } from '../../../platform/database/database.ts'
import type { Id } from '../../../platform/ids.ts'

export interface WordsRow {
  id: Id<'batch'>
  /** Sealed. */
  words: string | null
}

/** Batches that may still hold words or earlier values: they run, can be undone, or have not forgotten yet. */
export function listHolding(tx: ReadTx, after: string | null, limit: number): Promise<WordsRow[]> {
  return tx.many(sql<WordsRow>`
    select id, words from batches
    where tenant_id = ${tx.tenantId} and (undo_until is not null or next_at is not null or words is not null)
      and (${after}::uuid is null or id > ${after}::uuid)
    order by id limit ${limit}`)
}

export interface SnapshotsRow {
  batch_id: Id<'batch'>
  row_id: string
  /** Sealed. */
  kept: string
}

export function listSnapshotsIn(
  tx: ReadTx,
  id: Id<'batch'>,
  after: string | null,
  limit: number,
): Promise<SnapshotsRow[]> {
  return tx.many(sql<SnapshotsRow>`
    select batch_id, row_id, kept from batch_rows
    where tenant_id = ${tx.tenantId} and batch_id = ${id} and kept is not null
      and (${after}::uuid is null or row_id > ${after}::uuid)
    order by row_id limit ${limit}`)
}

/** The values that batches kept of these rows. */
export function listSnapshotsOf(tx: ReadTx, rowIds: string[]): Promise<SnapshotsRow[]> {
  return tx.many(sql<SnapshotsRow>`
    select batch_id, row_id, kept from batch_rows
    where tenant_id = ${tx.tenantId} and row_id = any(${rowIds}::uuid[]) and kept is not null`)
}

export interface SnapshotsKey {
  batchId: string
  rowId: string
}

/** The values that these batches kept, each of one row. */
export function listSnapshotsBy(tx: ReadTx, keys: SnapshotsKey[]): Promise<SnapshotsRow[]> {
  return tx.many(sql<SnapshotsRow>`
    select batch_id, row_id, kept from batch_rows
    where tenant_id = ${tx.tenantId} and kept is not null and ${isAmong(keys)}`)
}

export function listWords(tx: ReadTx, ids: string[]): Promise<WordsRow[]> {
  return tx.many(sql<WordsRow>`
    select id, words from batches where tenant_id = ${tx.tenantId} and id = any(${ids}::uuid[])`)
}

/** Forgets what these batches kept, each of one row. */
export function clearSnapshots(tx: TenantTx, keys: SnapshotsKey[]): Promise<number> {
  return tx.run(sql`
    update batch_rows set kept = null
    where tenant_id = ${tx.tenantId} and kept is not null and ${isAmong(keys)}`)
}

function isAmong(keys: SnapshotsKey[]) {
  return sql`(batch_id, row_id) in (
    select * from unnest(${keys.map(({ batchId }) => batchId)}::uuid[], ${keys.map(({ rowId }) => rowId)}::uuid[]))`
}

/** Forgets the words of these batches. A running batch still needs them, so the erasure waits for its end. */
export function forgetWords(tx: TenantTx, ids: string[]): Promise<number> {
  return tx.run(sql`
    update batches b set words = null
    where b.tenant_id = ${tx.tenantId} and b.id = any(${ids}::uuid[]) and ${ENDED_WITH_WORDS}`)
}

// A running batch needs its words for its other rows, and forgets them soon after its end.
const ENDED_WITH_WORDS = sql`b.words is not null and b.status <> 'running'`

/** Forgets what batches kept of these rows, and what those that have ended gave them. */
export async function forgetRows(tx: TenantTx, ids: string[]): Promise<number> {
  const kept = await tx.run(sql`
    update batch_rows set kept = null
    where tenant_id = ${tx.tenantId} and row_id = any(${ids}::uuid[]) and kept is not null`)
  const given = await tx.run(sql`
    update batches b set words = null
    where b.tenant_id = ${tx.tenantId} and ${ENDED_WITH_WORDS} and exists (
      select from batch_rows r
      where r.tenant_id = ${tx.tenantId} and r.batch_id = b.id and r.row_id = any(${ids}::uuid[]))`)
  return kept + given
}

/** Those of these rows of which a batch keeps earlier values, or what it gave them. */
export async function listRowsWithValues(tx: ReadTx, ids: string[]): Promise<string[]> {
  const rows = await tx.many(sql<{ row_id: string }>`
    select distinct r.row_id from batch_rows r join batches b on b.tenant_id = ${tx.tenantId} and b.id = r.batch_id
    where r.tenant_id = ${tx.tenantId} and r.row_id = any(${ids}::uuid[])
      and (r.kept is not null or ${ENDED_WITH_WORDS})`)
  return rows.map(({ row_id }) => row_id)
}
