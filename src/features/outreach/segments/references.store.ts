import { sql, type ReadTx } from '../../../platform/database/database.ts'
import type { ReferenceKind } from './references.ts'

/** The ids among these that the workspace has. Alert rules are checked elsewhere. */
export async function findKnown(tx: ReadTx, ids: Record<ReferenceKind, string[]>): Promise<Set<string>> {
  const rows = await tx.many(sql<{ id: string }>`
    select id from surveys where tenant_id = ${tx.tenantId} and id = any(${ids.survey}::uuid[])
    union all select id from agents where tenant_id = ${tx.tenantId} and id = any(${ids.agent}::uuid[])
    union all select id from people where tenant_id = ${tx.tenantId} and id = any(${ids.person}::uuid[])
    union all select id from segments where tenant_id = ${tx.tenantId} and id = any(${ids.segment}::uuid[])
    union all select id from topics where tenant_id = ${tx.tenantId} and id = any(${ids.topic}::uuid[])
    union all select user_id from memberships where tenant_id = ${tx.tenantId} and user_id = any(${ids.user}::uuid[])`)
  return new Set(rows.map(({ id }) => id))
}
