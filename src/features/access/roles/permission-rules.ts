import { forbidden, unprocessable } from '../../../http/problems/problem.ts'
import { PERMISSIONS, type Permission } from '../../../platform/permissions.ts'
import type { Principal } from '../../../platform/scope.ts'

const KNOWN = new Set<string>(PERMISSIONS)

/** Nobody can grant a permission that they lack. @throws Problem 403 naming the first missing permission. */
export function requireHeld(principal: Principal, wanted: readonly Permission[]): void {
  const held = 'permissions' in principal ? principal.permissions : new Set<Permission>()
  const missing = wanted.find((permission) => !held.has(permission))
  if (missing) throw forbidden(missing)
}

/** Permissions from a request, each once and in catalogue order. @throws Problem 422 for each unknown one. */
export function parsePermissions(names: string[], path = 'permissions'): Permission[] {
  const issues = names.flatMap((name, i) =>
    KNOWN.has(name)
      ? []
      : [{ path: `${path}.${i}`, message: 'There is no such permission. GET /v1/permissions lists them all.' }],
  )
  if (issues.length > 0) throw unprocessable('unknown_permission', issues)
  return sortPermissions(names)
}

/** Sorts permissions in catalogue order. */
export function sortPermissions(names: Iterable<string>): Permission[] {
  const wanted = new Set(names)
  return PERMISSIONS.filter((permission) => wanted.has(permission))
}

/** The permissions that a key was given and its maker still holds. None if the maker has left (null). */
export function effectivePermissions(given: readonly Permission[], held: readonly Permission[] | null): Permission[] {
  const stillHeld = new Set(held)
  return given.filter((permission) => stillHeld.has(permission))
}
