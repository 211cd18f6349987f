/** All permissions (docs/specification.md, "Permissions"). Code names permissions, never roles. */
export const PERMISSIONS = [
  'surveys.manage',
  'responses.manage',
  'dispatch.send',
  'alerts.manage',
  'leads.manage',
  'agents.manage',
  'people.manage',
  'segments.manage',
  'badges.manage',
  'integrations.manage',
  'api_keys.manage',
  'roles.manage',
  'members.manage',
  'compliance.manage',
  'templates.manage',
  'links.manage',
  'numbers.manage',
  'dashboards.manage',
  'reports.manage',
  'exports.manage',
  'audit.read',
  'org.manage',
  'adept.use',
  'proxy.fetch',
] as const

export type Permission = (typeof PERMISSIONS)[number]
