import { fieldOf } from '../../../platform/filter/entity.ts'
import type { Filter, FilterNode } from '../../../platform/filter/grammar.ts'
import { heldBy, permissionsToFilter } from '../../../platform/readers.ts'
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

/** A filter on people as this reader may see it: without the values that are tested of what is masked for them. */
export function seenBy(reader: Principal, filter: Filter): Filter {
  const held = heldBy(reader)
  const seen = (node: FilterNode): FilterNode => {
    if ('field' in node) {
      const needed = fieldOf('people', node.field)?.permission
      return needed === undefined || held.has(needed) || node.value === undefined ? node : { ...node, value: MASKED }
    }
    return Object.fromEntries(
      Object.entries(node).map(([join, inner]) => [join, Array.isArray(inner) ? inner.map(seen) : seen(inner)]),
    ) as FilterNode
  }
  return seen(filter) as Filter
}

const MASKED = '***'
