import { type ReadTx, sql } from '../../../../platform/database/database.ts'
import type { Id } from '../../../../platform/ids.ts'

export async function isOpenReceiver(tx: ReadTx, id: Id<'testReceiver'>, now: Date): Promise<boolean> {
  const row = await tx.maybe(sql<{ id: string }>`
    select id from test_receivers where tenant_id = ${tx.tenantId} and id = ${id} and expires_at > ${now}`)
  return row !== undefined
}
