import type { ReadTx } from '../../../platform/database/database.ts'
import type { Id } from '../../../platform/ids.ts'
import * as store from './api-keys.store.ts'

/** The names of the keys that still exist. */
export async function namesOfKeys(tx: ReadTx, ids: Id<'apiKey'>[]): Promise<Map<Id<'apiKey'>, string>> {
  if (ids.length === 0) return new Map()
  return new Map((await store.listNames(tx, ids)).map(({ id, name }) => [id, name]))
}
