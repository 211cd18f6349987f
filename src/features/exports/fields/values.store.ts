import { type RawBuilder, type ReadTx, sql } from '../../../platform/database/database.ts'
import { SCALARS } from '../../../platform/filter/compile.ts'
import type { PlainField } from '../../../platform/filter/entity.ts'
import { wordsTest } from '../../../platform/filter/folding.ts'

/** The alias of the rows. */
export const ROW = 'e'
/** Rows that are looked at, the newest. */
export const MOST_ROWS = 20_000
const LONGEST = 100

interface Wanted {
  table: string
  /** The column of the moment, and the earliest one. */
  moment: string
  since: Date
  /** On the alias of the rows. */
  condition: RawBuilder<unknown>
  kind: PlainField['kind']
  value: RawBuilder<unknown>
  /** The only values that count, if they are known. */
  among: string[] | undefined
  prefix: string | undefined
  limit: number
}

/** The most frequent values, and the number of rows that were looked at. */
export function listFrequent(tx: ReadTx, wanted: Wanted): Promise<Array<{ value: string; n: number; rows: number }>> {
  const { table, moment, since, condition, kind, value, among, prefix, limit } = wanted
  const at = sql.ref(`${ROW}.${moment}`)
  return tx.many(sql<{ value: string; n: number; rows: number }>`
    with looked as materialized (
      select ${value} as value from ${sql.ref(table)} as ${sql.ref(ROW)}
      where ${sql.ref(`${ROW}.tenant_id`)} = ${tx.tenantId} and ${at} >= ${since} and ${at} <= 'infinity' and ${condition}
      order by ${at} desc limit ${MOST_ROWS})
    select m.value, count(*)::integer as n, (select count(*)::integer from looked) as rows
    from looked l cross join lateral (${membersOf(kind)}) as m (value)
    where m.value <> '' and length(m.value) <= ${LONGEST}
      and ${among === undefined ? sql`true` : sql`m.value = any(${among}::text[])`}
      and ${prefix === undefined ? sql`true` : wordsTest(sql`m.value`, 'starts_with', prefix)}
    group by m.value order by n desc, m.value limit ${limit}`)
}

/** The values of a row as texts. */
function membersOf(kind: PlainField['kind']): RawBuilder<unknown> {
  if (kind === 'list') return sql`select distinct unnest(l.value)`
  if (kind === 'mixed') return sql`select distinct jsonb_path_query(l.value, ${SCALARS}::jsonpath) #>> '{}'`
  return sql`select l.value::text where l.value is not null`
}
