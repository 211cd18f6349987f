import { isOutOfTime, sql, type RawBuilder, type ReadTx } from '../database/database.ts'
import type { Scope } from '../scope.ts'

/** A number of rows. Unless it is exact, there are more than `n`. */
export interface Count {
  n: number
  exact: boolean
}

/** The rows of a list, as conditions on the alias of its table. */
export interface Countable {
  table: string
  alias: string
  /** Selects the rows in which `matching` looks, if that is known. */
  among?(tx: ReadTx): Promise<RawBuilder<unknown> | undefined>
  /** Under the filters of the request. */
  matching(tx: ReadTx): Promise<RawBuilder<unknown>> | RawBuilder<unknown>
  /** Without them. */
  all(tx: ReadTx): Promise<RawBuilder<unknown>> | RawBuilder<unknown>
}

/** The condition of a list that shows every row. */
export const EVERY = sql`true`

const MOST_EXACT = 10_000
/** Both counts of a request have half a second, and as long again for the newest rows alone. */
const MOST_MS = 250
/** The rows that are counted in place of all. */
const SAMPLE = 2_000

/** The counts of a list, if its caller asks for them. */
export async function countIfAsked(
  scope: Scope,
  { count }: { count?: 'true' | 'false' | undefined },
  rows: Countable,
): Promise<{ count?: { matching: Count; all: Count } }> {
  if (count !== 'true') return {}
  return { count: { matching: await countRows(scope, rows, 'matching'), all: await countRows(scope, rows, 'all') } }
}

/** The number of rows of a query. */
export async function countQuery(
  scope: Scope,
  queryOf: (tx: ReadTx) => Promise<RawBuilder<unknown>> | RawBuilder<unknown>,
): Promise<Count> {
  const count = (query: RawBuilder<unknown>, most: number) =>
    sql<{
      n: number
    }>`select count(*)::integer as n from (select from (${query}) as found limit ${most + 1}) as counted`
  return countInTime(scope, async (tx, most) => (await tx.one(count(await queryOf(tx), most))).n)
}

/** The number of rows that a reader finds, asked for one more than is counted exactly. */
export async function countInTime(scope: Scope, read: (tx: ReadTx, most: number) => Promise<number>): Promise<Count> {
  try {
    const n = await scope.read(async (tx) => {
      await limitTime(tx)
      return read(tx, MOST_EXACT)
    })
    return { n: Math.min(n, MOST_EXACT), exact: n <= MOST_EXACT }
  } catch (error) {
    if (!isOutOfTime(error)) throw error
    return { n: 0, exact: false }
  }
}

/** The number of rows of each status. */
export function countsOf<Status extends string>(
  statuses: readonly Status[],
  counted: Array<{ status: Status; n: number }>,
): Record<Status, number> {
  const known = new Map(counted.map(({ status, n }) => [status, n]))
  return Object.fromEntries(statuses.map((status) => [status, known.get(status) ?? 0])) as Record<Status, number>
}

async function countRows(scope: Scope, rows: Countable, which: 'matching' | 'all'): Promise<Count> {
  try {
    const found = await scope.read(async (tx) => {
      const condition = await rows[which](tx)
      const among = which === 'matching' && (await rows.among?.(tx))
      await limitTime(tx)
      return countIn(tx, rows, among || sql.ref(rows.table), condition)
    })
    return { n: Math.min(found, MOST_EXACT), exact: found <= MOST_EXACT }
  } catch (error) {
    if (!isOutOfTime(error)) throw error
    return countNewest(scope, rows, which)
  }
}

/** At least as many as the newest rows have. A search may be slow in these too. */
async function countNewest(scope: Scope, rows: Countable, which: 'matching' | 'all'): Promise<Count> {
  try {
    const found = await scope.read(async (tx) => {
      const condition = await rows[which](tx)
      await limitTime(tx)
      return countIn(tx, rows, newestOf(tx, rows), condition)
    })
    return { n: Math.max(0, Math.min(found, MOST_EXACT) - 1), exact: false }
  } catch (error) {
    if (!isOutOfTime(error)) throw error
    return { n: 0, exact: false }
  }
}

async function limitTime(tx: ReadTx): Promise<void> {
  await tx.one(sql`select set_config('statement_timeout', ${String(MOST_MS)}, true)`)
}

function newestOf(tx: ReadTx, { table }: Countable): RawBuilder<unknown> {
  return sql`(select * from ${sql.ref(table)} where tenant_id = ${tx.tenantId} order by id desc limit ${SAMPLE})`
}

async function countIn(
  tx: ReadTx,
  { alias }: Countable,
  table: RawBuilder<unknown>,
  condition: RawBuilder<unknown>,
): Promise<number> {
  const { n } = await tx.one(sql<{ n: number }>`
    select count(*)::integer as n from (
      select from ${table} as ${sql.ref(alias)}
      where ${sql.ref(`${alias}.tenant_id`)} = ${tx.tenantId} and ${condition} limit ${MOST_EXACT + 1}) as found`)
  return n
}
