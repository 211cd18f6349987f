import type { z } from 'zod'
import { audit } from '../../../platform/audit.ts'
import type { Scope } from '../../../platform/scope.ts'
import type { ImportPeople, ImportResult } from './people.schema.ts'
import { upsertPeople } from './upsert.service.ts'

/** Creates and updates people in one transaction: all acceptable rows are stored, or none. */
export async function importPeople(
  scope: Scope,
  { rows }: z.output<typeof ImportPeople>,
): Promise<z.input<typeof ImportResult>> {
  return scope.tx(async (tx) => {
    const results = await upsertPeople(scope, tx, rows)
    const result = {
      created: results.filter(({ kind }) => kind === 'created').length,
      updated: results.filter(({ kind }) => kind === 'updated').length,
      rejected: results.flatMap((one, index) => (one.kind === 'rejected' ? [{ index, reason: one.reason }] : [])),
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
  })
}
