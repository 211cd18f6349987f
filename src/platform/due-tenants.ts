import { sql, type SystemTx } from './database.ts'
import type { TenantId } from './ids.ts'

/** Tenants with rows whose time in `dueAt` has come: a loose scan of its index, one step for each tenant, without locks. */
export async function listTenantsWithDue(tx: SystemTx, table: string, dueAt: string, now: Date, limit: number): Promise<TenantId[]> {
  const [rows, time] = [sql.table(table), sql.ref(dueAt)]
  const tenants = await tx.many(sql<{ tenant_id: TenantId }>`
    with recursive due as (
      (select tenant_id from ${rows} where ${time} <= ${now} order by tenant_id limit 1)
      union all
      select (select r.tenant_id from ${rows} r where r.tenant_id > due.tenant_id and r.${time} <= ${now} order by r.tenant_id limit 1)
      from due where due.tenant_id is not null)
    select tenant_id from due where tenant_id is not null limit ${limit}`)
  return tenants.map((row) => row.tenant_id)
}
