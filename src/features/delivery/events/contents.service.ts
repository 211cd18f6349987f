import type { ReadTx } from '../../../platform/database/database.ts'
import type { Id } from '../../../platform/ids.ts'
import * as store from './events.store.ts'

/** The `data` of some events as they are now, after any erasure. */
export async function readContents(
  tx: ReadTx,
  ids: Id<'event'>[],
): Promise<Map<Id<'event'>, { type: string; data: Record<string, unknown> }>> {
  if (ids.length === 0) return new Map()
  const rows = await store.listContents(tx, ids)
  return new Map(rows.map(({ id, type, data }) => [id, { type, data: JSON.parse(data) as Record<string, unknown> }]))
}
