import { PERMISSIONS, type Permission } from '../../../platform/permissions.ts'

export const OWNER = 'owner'

/**
 * The roles of every new workspace (docs/decisions/0006). An admin lacks `org.manage`, so that an admin cannot change
 * owners: nobody can grant or change permissions that they lack.
 */
export const BUILT_IN_ROLES = {
  [OWNER]: PERMISSIONS,
  admin: PERMISSIONS.filter((permission) => permission !== 'org.manage'),
  manager: [
    'surveys.manage',
    'responses.manage',
    'dispatch.send',
    'alerts.manage',
    'leads.manage',
    'agents.manage',
    'people.manage',
    'segments.manage',
    'badges.manage',
    'templates.manage',
    'links.manage',
    'numbers.manage',
    'dashboards.manage',
    'reports.manage',
    'exports.manage',
    'adept.use',
    'proxy.fetch',
  ],
  analyst: ['segments.manage', 'dashboards.manage', 'reports.manage', 'exports.manage', 'adept.use'],
  agent: ['alerts.manage', 'leads.manage'],
  viewer: [],
} satisfies Record<string, readonly Permission[]>

export type BuiltInRole = keyof typeof BUILT_IN_ROLES
