import { acrossTenants } from '../../../platform/work/across-tenants.ts'
import type { TenantId } from '../../../platform/ids.ts'
import { shorter } from '../../../platform/work/retention.ts'
import type { Days, SystemScope } from '../../../platform/scope.ts'
import type { Retention } from './org.schema.ts'
import * as store from './retention.store.ts'

/** How many days each workspace keeps rows: the operator's setting, or less if the workspace set less. */
export async function readDays(
  system: SystemScope,
  operator: Days,
  setting: keyof Retention,
): Promise<(tenantId: TenantId) => Days> {
  const rows = await acrossTenants(system, (tx, among) => store.listOwnDays(tx, among, setting))
  const own = new Map(rows.map((row) => [row.tenant_id, row.days]))
  return (tenantId) => shorter(operator, own.get(tenantId))
}
