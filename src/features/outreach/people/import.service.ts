import type { z } from 'zod'
import { audit } from '../../../platform/audit.ts'
import type { TenantTx } from '../../../platform/database/database.ts'
import { withoutTrace, type Scope } from '../../../platform/scope.ts'
import type { Unread } from './people-csv.ts'
import type { ImportPeople, ImportResult } from './people.schema.ts'
import { upsertPeople } from './upsert.service.ts'

/**
 * Creates and updates people in one transaction: all acceptable rows are stored, or none.
 * @param unread reasons of rows that could not be read, by their position.
 */
export async function importPeople(
  scope: Scope,
  { rows, dry_run = false }: Pick<z.output<typeof ImportPeople>, 'rows'> & { dry_run?: boolean },
  unread: ReadonlyMap<number, Unread> = new Map(),
): Promise<z.input<typeof ImportResult>> {
  const work = async (tx: TenantTx) => {
    const read = rows.map((row, index) => ({ row, index })).filter(({ index }) => !unread.has(index))
    const results = await upsertPeople(
      scope,
      tx,
      read.map(({ row }) => row),
    )
    const refused = new Map(unread)
    for (const [at, one] of results.entries())
      if (one.kind === 'rejected') refused.set(read[at]?.index ?? at, one.reason)
    const result = {
      created: results.filter(({ kind }) => kind === 'created').length,
      updated: results.filter(({ kind }) => kind === 'updated').length,
      rejected: [...refused].map(([index, reason]) => ({ index, reason })).toSorted((a, b) => a.index - b.index),
    }
    audit(scope, tx, {
      action: 'person.import',
      target: null,
      changes: [
        { path: 'created', to: result.created },
        { path: 'updated', to: result.updated },
        { path: 'rejected', to: result.rejected.length },
      ],
    })
    return result
  }
  return dry_run ? { dry_run: true, ...(await withoutTrace(scope, work)) } : scope.tx(work)
}
