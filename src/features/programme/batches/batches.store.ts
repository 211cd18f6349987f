import { json, type RawBuilder, type ReadTx, sql, type TenantTx } from '../../../platform/database/database.ts'
import type { ExportKey } from '../../../platform/export-source.ts'
import type { Id } from '../../../platform/ids.ts'
import type { PausedReason } from '../../../platform/principal.ts'
import type { Jobs } from '../../../platform/work/leases.ts'
import type { BATCH_STATUSES, BatchList } from './batches.schema.ts'

export interface BatchRow {
  id: Id<'batch'>
  list: BatchList
  /** Null in place of words. */
  change: Record<string, unknown>
  /** Sealed. Null without words, and once they are forgotten. */
  words: string | null
  status: (typeof BATCH_STATUSES)[number]
  total: number
  /** The member or key that it acts as. */
  maker: string | null
  created_by: string | null
  created_at: Date
  completed_at: Date | null
  undo_until: Date | null
  paused_reason: PausedReason | null
  failures: number
  next_at: Date | null
}

export type Outcome = 'changed' | 'unchanged' | 'failed'

const COLUMNS = sql.raw(
  'id, list, change, words, status, total, maker, created_by, created_at, completed_at, undo_until, paused_reason, failures, next_at',
)
export const JOBS: Jobs = { table: 'batches', columns: COLUMNS }

export function insertBatch(tx: TenantTx, row: BatchRow): Promise<number> {
  return tx.run(sql`
    insert into batches (tenant_id, ${COLUMNS})
    values (${tx.tenantId}, ${row.id}, ${row.list}, ${json(row.change)}, ${row.words}, ${row.status}, ${row.total}, ${row.maker},
      ${row.created_by}, ${row.created_at}, ${row.completed_at}, ${row.undo_until}, ${row.paused_reason}, ${row.failures},
      ${row.next_at})`)
}

/** Keys of rows whose ids are known. */
export function keysOf(ids: string[]): RawBuilder<ExportKey> {
  return sql<ExportKey>`select given.id, null::text as member from unnest(${ids}::uuid[]) as given (id)`
}

/** The rows of a batch. */
export function insertRows(tx: TenantTx, batchId: Id<'batch'>, keys: RawBuilder<ExportKey>): Promise<number> {
  return tx.run(sql`
    insert into batch_rows as b (tenant_id, batch_id, row_id)
    select ${tx.tenantId}::uuid, ${batchId}::uuid, k.id from (${keys}) as k
    on conflict do nothing returning b.row_id`)
}

export async function countKeys(tx: ReadTx, keys: RawBuilder<ExportKey>, most: number): Promise<number> {
  const { n } = await tx.one(sql<{ n: number }>`
    select count(*)::integer as n from (select k.id from (${keys}) as k limit ${most}) as found`)
  return n
}

export async function listKeys(tx: ReadTx, keys: RawBuilder<ExportKey>, most: number): Promise<string[]> {
  const rows = await tx.many(sql<{ id: string }>`select k.id from (${keys}) as k order by k.id limit ${most}`)
  return rows.map(({ id }) => id)
}

export async function countRunning(tx: ReadTx): Promise<number> {
  const { n } = await tx.one(sql<{ n: number }>`
    select count(*)::integer as n from batches where tenant_id = ${tx.tenantId} and next_at is not null`)
  return n
}

export function findBatch(tx: ReadTx, id: Id<'batch'>): Promise<BatchRow | undefined> {
  return tx.maybe(sql<BatchRow>`select ${COLUMNS} from batches where tenant_id = ${tx.tenantId} and id = ${id}`)
}

export function lockBatch(tx: TenantTx, id: Id<'batch'>): Promise<BatchRow | undefined> {
  return tx.maybe(
    sql<BatchRow>`select ${COLUMNS} from batches where tenant_id = ${tx.tenantId} and id = ${id} for update`,
  )
}

/** Writes the state of a batch. */
export function saveBatch(tx: TenantTx, row: BatchRow): Promise<number> {
  return tx.run(sql`
    update batches set status = ${row.status}, maker = ${row.maker}, completed_at = ${row.completed_at},
      words = ${row.words}, undo_until = ${row.undo_until}, paused_reason = ${row.paused_reason}, failures = ${row.failures},
      next_at = ${row.next_at}, lease_token = null
    where tenant_id = ${tx.tenantId} and id = ${row.id}`)
}

export interface LeftRow {
  row_id: string
  /** Sealed. */
  kept: string | null
}

/** The rows that are to be changed, or given back. */
export function listLeft(tx: ReadTx, id: Id<'batch'>, direction: 'do' | 'undo', limit: number): Promise<LeftRow[]> {
  const isLeft = direction === 'do' ? sql`outcome is null` : sql`outcome = 'changed' and undone is null`
  return tx.many(sql<LeftRow>`
    select row_id, kept from batch_rows where tenant_id = ${tx.tenantId} and batch_id = ${id} and ${isLeft}
    order by row_id limit ${limit}`)
}

/** Writes the outcome of a row, once. Returns 0 if another worker has, or if the batch does not run any more. */
export function recordRow(
  tx: TenantTx,
  id: Id<'batch'>,
  rowId: string,
  { outcome, code = null, kept = null }: { outcome: Outcome; code?: string | null; kept?: string | null },
): Promise<number> {
  return tx.run(sql`
    update batch_rows set outcome = ${outcome}, code = ${code}, kept = ${kept}
    where tenant_id = ${tx.tenantId} and batch_id = ${id} and row_id = ${rowId} and outcome is null
      and exists (select from batches b where b.tenant_id = ${tx.tenantId} and b.id = ${id} and b.status = 'running')`)
}

/** An erasure may have forgotten what a worker has read: then nothing was given back. Returns 0. */
export function recordUndone(tx: TenantTx, id: Id<'batch'>, rowId: string, undone: boolean): Promise<number> {
  return tx.run(sql`
    update batch_rows set undone = ${undone}, kept = null
    where tenant_id = ${tx.tenantId} and batch_id = ${id} and row_id = ${rowId} and undone is null
      ${undone ? sql`and kept is not null` : sql``}`)
}

export interface Tally {
  outcome: Outcome
  code: string | null
  n: number
}

/** Of a batch that is undone, `changed` are the rows that were given back. */
export function tally(tx: ReadTx, id: Id<'batch'>, isUndone: boolean): Promise<Tally[]> {
  const outcome = isUndone
    ? sql`case when outcome = 'changed' and undone is not true then 'unchanged' else outcome end`
    : sql`outcome`
  return tx.many(sql<Tally>`
    select ${outcome} as outcome, code, count(*)::integer as n from batch_rows
    where tenant_id = ${tx.tenantId} and batch_id = ${id} and outcome is not null group by 1, 2`)
}

export function listFailures(
  tx: ReadTx,
  id: Id<'batch'>,
  limit: number,
): Promise<Array<{ row_id: string; code: string }>> {
  return tx.many(sql<{ row_id: string; code: string }>`
    select row_id, code from batch_rows where tenant_id = ${tx.tenantId} and batch_id = ${id} and outcome = 'failed'
    order by row_id limit ${limit}`)
}

/** Forgets earlier values that nobody can ask for any more. */
export async function clearExpired(tx: TenantTx, now: Date, limit: number): Promise<number> {
  const late = await tx.many(sql<{ id: string }>`
    update batches set undo_until = null, words = null
    where tenant_id = ${tx.tenantId} and id in (
      select id from batches where tenant_id = ${tx.tenantId} and undo_until is not null and undo_until <= ${now}
      order by undo_until limit ${limit})
    returning id`)
  await tx.run(sql`
    update batch_rows set kept = null
    where tenant_id = ${tx.tenantId} and batch_id = any(${late.map(({ id }) => id)}::uuid[]) and kept is not null`)
  return late.length
}
