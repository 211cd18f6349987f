import { sql, type RawBuilder } from './database.ts'
import type { TenantId } from './ids.ts'

/** What waits in one queue: the tenants whose work has waited longest, and totals over all. */
export interface BacklogRow {
  tenant_id: TenantId
  depth: number
  oldest_at: Date
  /** Since when the earliest row is due, or will be. */
  due_at: Date
  total_depth: number
  total_due_at: Date
}

const MOST_TENANTS = 100

/** Counts the rows of a queue that wait, by tenant; 200 ms at a million of them. */
export function backlogOf(
  table: string,
  waits: RawBuilder<unknown>,
  dueAt: RawBuilder<unknown>,
): RawBuilder<BacklogRow> {
  return sql<BacklogRow>`
    select tenant_id, count(*)::int as depth, min(created_at) as oldest_at, min(${dueAt}) as due_at,
      (sum(count(*)) over ())::int as total_depth, min(min(${dueAt})) over () as total_due_at
    from ${sql.table(table)} where ${waits} group by tenant_id order by oldest_at, tenant_id limit ${MOST_TENANTS}`
}
