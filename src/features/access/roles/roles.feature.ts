import type { Feature } from '../../../platform/feature.ts'
import {
  createRoleRoute,
  deleteRoleRoute,
  listPermissionsRoute,
  listRolesRoute,
  updateRoleRoute,
} from './roles.routes.ts'

export const roles = {
  name: 'roles',
  routes: [listRolesRoute, createRoleRoute, updateRoleRoute, deleteRoleRoute, listPermissionsRoute],
} satisfies Feature
