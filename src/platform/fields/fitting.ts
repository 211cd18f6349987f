import { sql, type RawBuilder, type ReadTx } from '../database/database.ts'
import type { PageRequest, Sorted } from './sorting.ts'

/** Of the rows of a page. */
export const MOST_PAGE_BYTES = 1_500_000

/** A table whose rows may be large. */
export interface LargeRows {
  table: string
  columns: RawBuilder<unknown>
}

/** The rows that a page shows, and the page that they are. */
export interface Fitting<Row> {
  rows: Row[]
  page: PageRequest
}

/**
 * The first rows of a page by their ids, in this order: as many as fit into 1.5 MB with all their columns, and at least
 * one. So many readers of large rows do not fill the memory.
 * @param found the rows of the page by id, and one more if there is one.
 */
export async function readFitting<Row extends { id: string }>(
  tx: ReadTx,
  { table, columns }: LargeRows,
  found: ReadonlyArray<Sorted & { id: string }>,
  page: PageRequest,
): Promise<Fitting<Row & Sorted>> {
  const ids = found.slice(0, page.limit).map(({ id }) => id)
  const rows = await tx.many(sql<Row>`
    select ${columns} from (
      select r.*, place, sum(octet_length(r::text)) over (order by place rows between unbounded preceding and 1 preceding) as bytes_before
      from unnest(${ids}::uuid[]) with ordinality as given (given_id, place)
      cross join lateral (
        select * from ${sql.table(table)} where tenant_id = ${tx.tenantId} and id = given_id offset 0) r) as fitting
    where coalesce(bytes_before, 0) < ${MOST_PAGE_BYTES} order by place`)
  const values = new Map(found.map(({ id, sort_value }) => [id, sort_value ?? null]))
  return {
    rows: rows.map((row) => ({ ...row, sort_value: values.get(row.id) ?? null })),
    page: { ...page, hasMore: found.length > rows.length, removed: found[ids.length - 1] },
  }
}

/** The same of the newest rows that pass a condition. */
export async function listFitting<Row extends { id: string }>(
  tx: ReadTx,
  rows: LargeRows,
  page: PageRequest,
  condition: RawBuilder<unknown> = sql`true`,
): Promise<Fitting<Row>> {
  const found = await tx.many(sql<{ id: string }>`
    select id from ${sql.table(rows.table)}
    where tenant_id = ${tx.tenantId} and ${condition} and ${page.before ? sql`id < ${page.before}` : sql`true`}
    order by id desc limit ${page.limit + 1}`)
  return readFitting<Row>(tx, rows, found, page)
}
