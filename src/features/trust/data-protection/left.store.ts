import { type ReadTx, sql } from '../../../platform/database/database.ts'

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
    where tenant_id = ${tx.tenantId} order by 1 offset ${offset} limit ${limit}`)
}
