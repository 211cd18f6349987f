import { sql, type SystemTx } from '../../../platform/database/database.ts'

export interface SweepRow {
  name: string
  next_at: Date
  last_finished_at: Date | null
  last_error: string | null
  lease_until: Date | null
}

export function listSweeps(tx: SystemTx): Promise<SweepRow[]> {
  return tx.many(
    sql<SweepRow>`select name, next_at, last_finished_at, last_error, lease_until from sweeps order by name`,
  )
}
