import type { Feature } from '../../../platform/feature.ts'
import { getOrgRoute, updateOrgRoute } from './org.routes.ts'
import { createWorkspaceRoute, getSignupsRoute } from './workspaces.routes.ts'

export const workspaces = {
  name: 'workspaces',
  routes: [getSignupsRoute, createWorkspaceRoute, getOrgRoute, updateOrgRoute],
} satisfies Feature
