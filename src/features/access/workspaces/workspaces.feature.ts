import type { Feature } from '../../../platform/feature.ts'
import { getOrgRoute, updateOrgRoute } from './org.routes.ts'

export const workspaces = {
  name: 'workspaces',
  routes: [getOrgRoute, updateOrgRoute],
} satisfies Feature
