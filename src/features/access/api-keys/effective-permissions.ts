import type { Permission } from '../../../platform/permissions.ts'

/** A key acts with what it was given and its maker still holds; with nothing once the maker has left (null). */
export function effectivePermissions(given: readonly Permission[], held: readonly Permission[] | null): Permission[] {
  const stillHeld = new Set(held)
  return given.filter((permission) => stillHeld.has(permission))
}
