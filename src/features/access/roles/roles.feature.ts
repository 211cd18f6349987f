import type { Feature } from '../../../platform/feature.ts'
import {
  createRoleRoute,
  deleteRoleRoute,
  getRoleRoute,
  listPermissionsRoute,
  listRolesRoute,
  updateRoleRoute,
} from './roles.routes.ts'

export const roles = {
  name: 'roles',
  routes: [listRolesRoute, createRoleRoute, getRoleRoute, updateRoleRoute, deleteRoleRoute, listPermissionsRoute],
} satisfies Feature
