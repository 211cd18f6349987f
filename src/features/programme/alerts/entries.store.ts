import { type ReadTx, sql, type TenantTx } from '../../../platform/database/database.ts'
import type { Id } from '../../../platform/ids.ts'

/** One line of an alert's timeline. */
export interface EntryRow {
  id: string
  at: Date
  actor: string | null
  kind: string
  before: string | null
  after: string | null
  /** Sealed. */
  text: string | null
}

export function insertEntry(tx: TenantTx, alertId: Id<'alert'>, row: EntryRow): Promise<number> {
  return tx.run(sql`
    insert into alert_entries (tenant_id, alert_id, id, at, actor, kind, before, after, text)
    values (${tx.tenantId}, ${alertId}, ${row.id}, ${row.at}, ${row.actor}, ${row.kind}, ${row.before}, ${row.after}, ${row.text})`)
}

/** Oldest first. */
export function listEntries(tx: ReadTx, alertId: Id<'alert'>, limit: number): Promise<EntryRow[]> {
  return tx.many(sql<EntryRow>`
    select id, at, actor, kind, before, after, text from alert_entries
    where tenant_id = ${tx.tenantId} and alert_id = ${alertId} order by id limit ${limit}`)
}
