import { sql, type SystemTx } from '../platform/database.ts'

/** Counters whose window ended before a moment, in milliseconds since 1970, as the limiter's library keeps it. */
export function deleteExpired(tx: SystemTx, beforeMs: number, limit: number): Promise<number> {
  return tx.run(sql`
    with expired as materialized (
      select key from rate_limits where expire < ${beforeMs} order by expire limit ${limit} for update skip locked)
    delete from rate_limits where key = any(array(select key from expired))`)
}
