import type { Filter } from '../../../platform/filter/grammar.ts'
import { permissionsToFilter } from '../../../platform/readers.ts'
import type { Principal } from '../../../platform/principal.ts'
import { requireHeld } from '../../access/roles/grants.ts'

interface Named {
  filter: Filter
}

/**
 * Refuses somebody a choice by segments that test what is masked for them: who is in one has it.
 * @throws Problem 403 naming the permission.
 */
export function requireSeen(asker: Principal, segments: Named[]): void {
  if (!('permissions' in asker)) return
  requireHeld(
    asker,
    segments.flatMap(({ filter }) => permissionsToFilter('people', filter)),
  )
}
