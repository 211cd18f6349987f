import type { ReadTx } from '../../../platform/database.ts'
import { listExisting } from './rules.store.ts'

/** The rules among these ids. */
export function findRules(tx: ReadTx, ids: string[]): Promise<string[]> {
  return listExisting(tx, ids)
}
