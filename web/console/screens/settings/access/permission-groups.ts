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
