import { fieldOf, type EntityName } from './filter/entity.ts'
import { testsOf, type Filter, type FilterNode } from './filter/grammar.ts'
import type { Permission } from './permissions.ts'
import type { Principal } from './principal.ts'

/** The lists of the API, in the order of the reference. Each is declared by the feature that has its rows. */
export const LISTS = [
  'surveys',
  'responses',
  'verbatim',
  'alerts',
  'leads',
  'people',
  'sends',
  'webhook_deliveries',
  'audit',
] as const
export type ListName = (typeof LISTS)[number]

/** The permissions that a list asks of its readers: one for its rows, and one without which it masks them. */
interface Asked {
  toRead?: Permission
  toUnmask?: Permission
}

/** A list that is absent shows all of its rows to every member. docs/security.md, "One rule for the same rows" */
const ASKED: Partial<Record<ListName, Asked>> = {
  people: { toUnmask: 'people.manage' },
  leads: { toUnmask: 'leads.manage' },
  webhook_deliveries: { toRead: 'integrations.manage' },
  audit: { toRead: 'audit.read' },
}

export function heldBy(principal: Principal): ReadonlySet<Permission> {
  return 'permissions' in principal ? principal.permissions : new Set()
}

/** The permission for the rows of a list. Undefined if every member may read them. */
export function permissionToRead(list: ListName): Permission | undefined {
  return ASKED[list]?.toRead
}

/** Whether a list shows its rows unmasked to somebody with these permissions. */
export function isUnmasked(list: ListName, held: ReadonlySet<Permission>): boolean {
  const needed = ASKED[list]?.toUnmask
  return needed === undefined || held.has(needed)
}

/** The permissions that unmask rows of a list for somebody with these permissions. */
export function unmaskedBy(list: ListName, held: ReadonlySet<Permission>): Permission[] {
  const needed = ASKED[list]?.toUnmask
  return needed !== undefined && held.has(needed) ? [needed] : []
}

/** The permissions that a filter needs, because it tests what the list masks. */
export function permissionsToFilter(entity: EntityName, filter: Filter | null | undefined): Permission[] {
  const needed = testsOf(filter ?? { all: [] }).flatMap(({ field }) => fieldOf(entity, field)?.permission ?? [])
  return [...new Set(needed)]
}

const MASKED = '***'

/**
 * A stored filter as its reader may see it: without the values that it tests of what they may not read, or only masked.
 */
export function seenBy(reader: Principal, entity: EntityName, filter: Filter): Filter {
  const held = heldBy(reader)
  const isShown = (needed: Permission | undefined) => needed === undefined || held.has(needed)
  const mayRead = isShown(permissionToRead(entity))
  const seen = (node: FilterNode): FilterNode => {
    if ('field' in node) {
      const isSeen = node.value === undefined || (mayRead && isShown(fieldOf(entity, node.field)?.permission))
      return isSeen ? node : { ...node, value: MASKED }
    }
    return Object.fromEntries(
      Object.entries(node).map(([join, inner]) => [join, Array.isArray(inner) ? inner.map(seen) : seen(inner)]),
    ) as FilterNode
  }
  return seen(filter) as Filter
}
