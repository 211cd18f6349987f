import { STALE, tagged } from '../../../http/routes/headers.ts'
import { tenantRoute } from '../../../http/routes/route.ts'
import { Org, UpdateOrg } from './org.schema.ts'
import { getOrg, updateOrg } from './org.service.ts'
import type { Feature } from '../../../platform/feature.ts'

export const getOrgRoute = tenantRoute({
  method: 'get',
  path: '/org',
  operationId: 'getOrg',
  summary: 'Read the settings of the workspace',
  tag: 'Workspaces',
  response: { status: 200, schema: Org, headers: ['ETag'] },
  handler: async (scope, { c }) => tagged(c, await getOrg(scope)),
})

export const updateOrgRoute = tenantRoute({
  method: 'patch',
  path: '/org',
  operationId: 'updateOrg',
  summary: 'Change the settings of the workspace',
  tag: 'Workspaces',
  permission: 'org.manage',
  headers: ['if-match'],
  body: UpdateOrg,
  example: { timezone: 'Europe/Berlin', ip_allowlist: ['192.0.2.0/24'], quiet_hours: { start: '21:00', end: '08:00' } },
  audit: ['workspace.update'],
  response: { status: 200, schema: Org, headers: ['ETag'] },
  problems: {
    ...STALE,
    422: 'The time zone is unknown, a range is not valid, or the allowlist would lock the caller out.',
  },
  handler: async (scope, { body, c }) => tagged(c, await updateOrg(scope, body, c.req.header('if-match'))),
})

export const workspaces = {
  name: 'workspaces',
  routes: [getOrgRoute, updateOrgRoute],
} satisfies Feature
