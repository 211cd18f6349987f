import { PERMISSIONS, type Permission } from '../../../platform/permissions.ts'

export const OWNER = 'owner'

/**
 * What every workspace starts with (docs/decisions/0006). An admin lacks `org.manage`, so that the rule
 * "nobody grants or changes what they lack" keeps owners out of an admin's reach.
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
