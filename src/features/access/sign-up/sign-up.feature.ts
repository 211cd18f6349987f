import type { Feature } from '../../../platform/feature.ts'
import { createWorkspaceRoute, getSignupsRoute } from './sign-up.routes.ts'

export const signUps = {
  name: 'sign-up',
  routes: [getSignupsRoute, createWorkspaceRoute],
} satisfies Feature
