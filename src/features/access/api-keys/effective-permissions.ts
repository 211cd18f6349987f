import type { Permission } from '../../../platform/permissions.ts'

/** The permissions that a key was given and its maker still holds. None if the maker has left (null). */
export function effectivePermissions(given: readonly Permission[], held: readonly Permission[] | null): Permission[] {
  const stillHeld = new Set(held)
  return given.filter((permission) => stillHeld.has(permission))
}
