import { sql, type SystemTx } from '../../platform/database/database.ts'

/** Deletes counters whose window ended before a time, in milliseconds since 1970 like the library's own column. */
export function deleteExpired(tx: SystemTx, beforeMs: number, limit: number): Promise<number> {
  return tx.run(sql`
    with expired as materialized (
      select key from rate_limits where expire < ${beforeMs} order by expire limit ${limit} for update skip locked)
    delete from rate_limits where key = any(array(select key from expired))`)
}
