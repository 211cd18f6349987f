import { sql, type RawBuilder, type SystemTx } from '../database/database.ts'
import { NodeAwayError } from '../database/database-adapter.ts'
import { listTenantsByNode } from '../database/directory.ts'
import type { TenantId } from '../ids.ts'
import type { SystemScope } from '../scope.ts'

/** How a read across tenants finds them. */
export interface Among {
  /** A cluster runs such a read on every shard at once, and refuses a recursive one. */
  cluster: boolean
  /** A condition on tenant_id, which the read must state: the tenants that can be reached now. */
  reachable: RawBuilder<unknown>
}

const EVERYONE = sql`true`
const TENANTS_AT_ONCE = 1_000

/**
 * Reads rows of all tenants. While a node of the cluster is away, it asks the others one by one, so that their tenants
 * are served.
 */
export async function acrossTenants<Row>(
  system: SystemScope,
  read: (tx: SystemTx, among: Among) => Promise<Row[]>,
): Promise<Row[]> {
  try {
    return await system.tx(async (tx) => read(tx, { cluster: await tx.isCluster(), reachable: EVERYONE }))
  } catch (error) {
    if (!(error instanceof NodeAwayError)) throw error
  }
  const rows: Row[] = []
  for (const tenants of await system.tx(listTenantsByNode)) rows.push(...(await onNode(system, tenants, read)))
  return rows
}

/** The rows of one node. None while it is away. */
async function onNode<Row>(
  system: SystemScope,
  tenants: TenantId[],
  read: (tx: SystemTx, among: Among) => Promise<Row[]>,
): Promise<Row[]> {
  const rows: Row[] = []
  try {
    for (let at = 0; at < tenants.length; at += TENANTS_AT_ONCE) {
      const some = sql`tenant_id = any(${tenants.slice(at, at + TENANTS_AT_ONCE)}::uuid[])`
      rows.push(...(await system.tx((tx) => read(tx, { cluster: true, reachable: some }))))
    }
  } catch (error) {
    if (!(error instanceof NodeAwayError)) throw error
  }
  return rows
}
