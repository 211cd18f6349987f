import type { ReadTx } from '../../../../platform/database/database.ts'
import { formatId, type Id } from '../../../../platform/ids.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { listExisting, listNaming } from './rules.store.ts'

/** The rules among these ids. */
export function findRules(tx: ReadTx, ids: string[]): Promise<string[]> {
  return listExisting(tx, ids)
}

/** Rules that name a segment. */
export async function listRuleUses(_scope: Scope, tx: ReadTx, id: Id<'segment'>) {
  const rows = await listNaming(tx, formatId('segment', id))
  return rows.map((row) => ({ type: 'alert_rule', id: formatId('alertRule', row.id), name: row.name }))
}
