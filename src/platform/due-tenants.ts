import { sql, type RawBuilder, type SystemTx } from './database.ts'
import type { TenantId } from './ids.ts'
import type { SystemScope } from './scope.ts'
import type { SweepOptions } from './sweeps.ts'

const PAGE = 100

/**
 * Lists tenants with due rows, after a given tenant: a loose scan of an index that begins with the tenant, without
 * locks.
 * @param isDue the condition that makes a row of `r` due.
 */
export async function listDueTenants(
  tx: SystemTx,
  table: string,
  isDue: RawBuilder<unknown>,
  after: TenantId | null,
): Promise<TenantId[]> {
  const rows = sql.table(table)
  const tenants = await tx.many(sql<{ tenant_id: TenantId }>`
    with recursive due as (
      (select r.tenant_id from ${rows} r where ${after ? sql`r.tenant_id > ${after}` : sql`true`} and ${isDue} order by r.tenant_id limit 1)
      union all
      select (select r.tenant_id from ${rows} r where r.tenant_id > due.tenant_id and ${isDue} order by r.tenant_id limit 1)
      from due where due.tenant_id is not null)
    select tenant_id from due where tenant_id is not null limit ${PAGE}`)
  return tenants.map((row) => row.tenant_id)
}

/**
 * `listDueTenants` for rows with a due time in a column. The planner uses some indexes only with a lower bound
 * (docs/decisions/0022-one-index-to-choose.md).
 */
export function listTenantsWithDue(
  tx: SystemTx,
  table: string,
  dueAt: string,
  now: Date,
  after: TenantId | null = null,
): Promise<TenantId[]> {
  return listDueTenants(
    tx,
    table,
    sql`${sql.ref(`r.${dueAt}`)} >= '-infinity' and ${sql.ref(`r.${dueAt}`)} <= ${now}`,
    after,
  )
}

/**
 * Runs the work once for each tenant that has something due. A failure for one tenant does not stop the others.
 * @returns the sum of the results.
 * @throws the first failure, at the end.
 */
export async function eachDueTenant(
  system: SystemScope,
  { signal, renew }: Pick<SweepOptions, 'signal' | 'renew'>,
  list: (tx: SystemTx, after: TenantId | null) => Promise<TenantId[]>,
  work: (tenantId: TenantId) => Promise<number>,
): Promise<number> {
  const failures: unknown[] = []
  let done = 0
  let after: TenantId | null = null
  do {
    const last: TenantId | null = after
    const tenants: TenantId[] = await system.tx((tx) => list(tx, last))
    for (const tenantId of tenants) {
      if (signal.aborted || !(await renew())) break
      try {
        done += await work(tenantId)
      } catch (error) {
        failures.push(error)
      }
    }
    after = tenants.length === PAGE ? (tenants.at(-1) ?? null) : null
  } while (after !== null && !signal.aborted)
  if (failures.length > 0) throw failures[0]
  return done
}
