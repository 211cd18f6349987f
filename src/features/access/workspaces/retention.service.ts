import type { TenantId } from '../../../platform/ids.ts'
import { shorter } from '../../../platform/retention.ts'
import type { Days, SystemScope } from '../../../platform/scope.ts'
import type { Retention } from './org.schema.ts'
import * as store from './retention.store.ts'

/** How many days each workspace keeps something: what the operator set, or less where the workspace asks for it. */
export async function readDays(
  system: SystemScope,
  operator: Days,
  setting: keyof Retention,
): Promise<(tenantId: TenantId) => Days> {
  const rows = await system.tx((tx) => store.listOwnDays(tx, setting))
  const own = new Map(rows.map((row) => [row.tenant_id, row.days]))
  return (tenantId) => shorter(operator, own.get(tenantId))
}
