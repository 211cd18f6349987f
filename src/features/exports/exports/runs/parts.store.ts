import { type RawBuilder, type ReadTx, sql, type TenantTx } from '../../../../platform/database/database.ts'
import type { ExportKey } from '../../../../platform/export-source.ts'
import type { Id } from '../../../../platform/ids.ts'

// Few, so that a page of large rows fits in memory and no step holds the event loop.
const SLICE = 300

/**
 * Writes down the rows of a run in one statement, so in one moment.
 * @param keys a query of `id` and `member`.
 */
export async function insertSlices(
  tx: TenantTx,
  runId: Id<'exportRun'>,
  keys: RawBuilder<ExportKey>,
  partRows: number,
): Promise<{ rows: number; parts: number }> {
  await tx.run(sql`
    insert into export_slices as s (tenant_id, run_id, part, n, ids, members, first_id, last_id)
    select ${tx.tenantId}::uuid, ${runId}::uuid, part, n, array_agg(id order by at),
      case when bool_or(member is not null) then array_agg(member order by at) end,
      (array_agg(id order by at))[1], (array_agg(id order by at))[count(*)]
    from (
      select id, member, at, ((at - 1) / ${partRows}::integer + 1)::integer as part,
        (((at - 1) % ${partRows}::integer) / ${SLICE}::integer + 1)::integer as n
      from (select id, member, row_number() over (order by id, member) as at from (${keys}) as found) as numbered) as placed
    group by part, n
    on conflict do nothing`)
  return tx.one(sql<{ rows: number; parts: number }>`
    select coalesce(sum(cardinality(ids)), 0)::integer as rows, coalesce(max(part), 0)::integer as parts
    from export_slices where tenant_id = ${tx.tenantId} and run_id = ${runId}`)
}

/** The newest keys of a query, newest first. */
export function listNewest(tx: ReadTx, keys: RawBuilder<ExportKey>, limit: number): Promise<ExportKey[]> {
  return tx.many(sql<ExportKey>`
    select id, member from (${keys}) as found order by id desc, member limit ${limit}`)
}

/** The keys of slices of a part, in order. */
export async function listSlices(
  tx: ReadTx,
  runId: Id<'exportRun'>,
  part: number,
  { after, limit }: { after: number; limit: number },
): Promise<ExportKey[][]> {
  const rows = await tx.many(sql<{ ids: string; members: string[] | null }>`
    select array_to_string(ids, ',') as ids, members from export_slices
    where tenant_id = ${tx.tenantId} and run_id = ${runId} and part = ${part} and n > ${after} and n <= ${after + limit}
    order by n`)
  // An erasure may have emptied a slice.
  return rows.map(({ ids, members }) =>
    (ids === '' ? [] : ids.split(',')).map((id, at) => ({ id, member: members?.[at] ?? null })),
  )
}

export interface PartRow {
  n: number
  rows: number
  held: number
  bytes: number
  sha256: string
  object_key: string
  delivered_at: Date | null
}

const COLUMNS = sql.raw('n, rows, held, bytes::float8 as bytes, sha256, object_key, delivered_at')

export function insertPart(tx: TenantTx, runId: Id<'exportRun'>, part: PartRow): Promise<number> {
  return tx.run(sql`
    insert into export_parts (tenant_id, run_id, n, rows, held, bytes, sha256, object_key)
    values (${tx.tenantId}, ${runId}, ${part.n}, ${part.rows}, ${part.held}, ${part.bytes}, ${part.sha256}, ${part.object_key})`)
}

export function listParts(tx: ReadTx, runId: Id<'exportRun'>): Promise<PartRow[]> {
  return tx.many(sql<PartRow>`
    select ${COLUMNS} from export_parts where tenant_id = ${tx.tenantId} and run_id = ${runId} order by n`)
}

export function findPart(tx: ReadTx, runId: Id<'exportRun'>, n: number): Promise<PartRow | undefined> {
  return tx.maybe(sql<PartRow>`
    select ${COLUMNS} from export_parts where tenant_id = ${tx.tenantId} and run_id = ${runId} and n = ${n}`)
}

export function markDelivered(tx: TenantTx, runId: Id<'exportRun'>, n: number, now: Date): Promise<number> {
  return tx.run(sql`
    update export_parts set delivered_at = ${now} where tenant_id = ${tx.tenantId} and run_id = ${runId} and n = ${n}`)
}

/** Forgets which rows a run held, once its files are gone. */
export async function forgetRows(tx: TenantTx, runId: Id<'exportRun'>): Promise<void> {
  await tx.run(sql`delete from export_parts where tenant_id = ${tx.tenantId} and run_id = ${runId}`)
  await tx.run(sql`delete from export_slices where tenant_id = ${tx.tenantId} and run_id = ${runId}`)
}
