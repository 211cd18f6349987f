import type { Among } from '../../../platform/work/across-tenants.ts'
import { sql, type SystemTx } from '../../../platform/database/database.ts'
import type { TenantId } from '../../../platform/ids.ts'
import type { Retention } from './org.schema.ts'

/** The workspaces that set their own number of days. */
export function listOwnDays(
  tx: SystemTx,
  { reachable }: Among,
  setting: keyof Retention,
): Promise<Array<{ tenant_id: TenantId; days: number }>> {
  return tx.many(sql<{ tenant_id: TenantId; days: number }>`
    select tenant_id, (retention ->> ${setting})::int as days from workspaces where retention ->> ${setting} is not null and ${reachable}`)
}
