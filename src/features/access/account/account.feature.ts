import type { Feature } from '../../../platform/feature.ts'
import { changePasswordRoute, getMeRoute, updateMeRoute } from './account.routes.ts'

/** The caller's own account. */
export const account = {
  name: 'account',
  routes: [getMeRoute, updateMeRoute, changePasswordRoute],
} satisfies Feature
