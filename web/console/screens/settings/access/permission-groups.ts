import type { Permission } from '../../../app/screens.ts'

export const GROUPS = ['ask', 'listen', 'act', 'show', 'connect', 'govern'] as const

export type PermissionGroup = (typeof GROUPS)[number]

const GROUP_OF = {
  'surveys.manage': 'ask',
  'dispatch.send': 'ask',
  'templates.manage': 'ask',
  'links.manage': 'ask',
  'numbers.manage': 'ask',
  'proxy.fetch': 'ask',
  'responses.manage': 'listen',
  'adept.use': 'listen',
  'alerts.manage': 'act',
  'leads.manage': 'act',
  'agents.manage': 'act',
  'people.manage': 'act',
  'segments.manage': 'act',
  'dashboards.manage': 'show',
  'reports.manage': 'show',
  'badges.manage': 'show',
  'exports.manage': 'show',
  'integrations.manage': 'connect',
  'api_keys.manage': 'connect',
  'members.manage': 'govern',
  'roles.manage': 'govern',
  'org.manage': 'govern',
  'compliance.manage': 'govern',
  'audit.read': 'govern',
} satisfies Record<Permission, PermissionGroup>

/** These permissions under their headings. */
export function groupPermissions(permissions: Permission[]): Array<{ group: PermissionGroup; own: Permission[] }> {
  return GROUPS.map((group) => ({ group, own: permissions.filter((each) => GROUP_OF[each] === group) })).filter(
    ({ own }) => own.length > 0,
  )
}

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
