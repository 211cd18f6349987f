import type { Permission } from '../../../app/screens.ts'

interface Role {
  id: string
  name: string
  permissions: Permission[]
}

/** The permissions that a role is to have, by its id. */
export type RoleDraft = Record<string, Permission[]>

export interface ChangedRole extends Role {
  /** Permissions that are given or taken. */
  changes: number
}

/** The roles that differ from the saved ones. A check that was taken back is no change. */
export function changedRoles(roles: Role[], draft: RoleDraft): ChangedRole[] {
  return roles.flatMap(({ id, name, permissions }) => {
    const next = draft[id] ?? permissions
    const changes = [...new Set([...permissions, ...next])].filter(
      (each) => permissions.includes(each) !== next.includes(each),
    ).length
    return changes === 0 ? [] : [{ id, name, permissions: next, changes }]
  })
}
