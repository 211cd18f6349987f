import { pageOf, PageQuery } from '../../../http/routes/pagination.ts'
import { STALE, tagged } from '../../../http/routes/headers.ts'
import { tenantRoute } from '../../../http/routes/route.ts'
import { CreateRole, PermissionList, Role, UpdateRole } from './roles.schema.ts'
import { createRole, deleteRole, getRole, listPermissions, listRoles, updateRole } from './roles.service.ts'
import type { Feature } from '../../../platform/feature.ts'

const GRANTS = { 403: 'The caller lacks `roles.manage`, or a permission that the role has or would get.' }

export const listRolesRoute = tenantRoute({
  method: 'get',
  path: '/roles',
  operationId: 'listRoles',
  summary: 'List roles',
  tag: 'Roles',
  query: PageQuery,
  response: { status: 200, schema: pageOf(Role) },
  handler: (scope, { query }) => listRoles(scope, query),
})

export const createRoleRoute = tenantRoute({
  method: 'post',
  path: '/roles',
  operationId: 'createRole',
  summary: 'Create a role',
  tag: 'Roles',
  permission: 'roles.manage',
  body: CreateRole,
  example: { name: 'Integrator', permissions: ['integrations.manage'] },
  audit: ['role.create'],
  response: { status: 201, schema: Role, headers: ['ETag'] },
  problems: { ...GRANTS, 409: 'The workspace already has a role with this name.', 422: 'A permission is unknown.' },
  handler: async (scope, { body, c }) => tagged(c, await createRole(scope, body)),
})

export const getRoleRoute = tenantRoute({
  method: 'get',
  path: '/roles/:id',
  operationId: 'getRole',
  summary: 'Read a role',
  tag: 'Roles',
  params: { id: 'role' },
  response: { status: 200, schema: Role, headers: ['ETag'] },
  handler: async (scope, { params, c }) => tagged(c, await getRole(scope, params.id)),
})

export const updateRoleRoute = tenantRoute({
  method: 'patch',
  path: '/roles/:id',
  operationId: 'updateRole',
  summary: 'Change a role',
  description: 'Members get the new permissions with their next request.',
  tag: 'Roles',
  permission: 'roles.manage',
  params: { id: 'role' },
  headers: ['if-match'],
  body: UpdateRole,
  example: { permissions: ['integrations.manage', 'exports.manage'] },
  audit: ['role.update'],
  response: { status: 200, schema: Role, headers: ['ETag'] },
  problems: {
    ...STALE,
    ...GRANTS,
    409: 'The role is built in, or the name is in use.',
    422: 'A permission is unknown.',
  },
  handler: async (scope, { params, body, c }) =>
    tagged(c, await updateRole(scope, params.id, body, c.req.header('if-match'))),
})

export const deleteRoleRoute = tenantRoute({
  method: 'delete',
  path: '/roles/:id',
  operationId: 'deleteRole',
  summary: 'Delete a role',
  tag: 'Roles',
  permission: 'roles.manage',
  params: { id: 'role' },
  headers: ['if-match'],
  audit: ['role.delete'],
  response: { status: 204 },
  problems: { ...STALE, ...GRANTS, 409: 'The role is built in, or a member or an open invitation has it.' },
  async handler(scope, { params, c }) {
    await deleteRole(scope, params.id, c.req.header('if-match'))
  },
})

export const listPermissionsRoute = tenantRoute({
  method: 'get',
  path: '/permissions',
  operationId: 'listPermissions',
  summary: 'List all permissions',
  tag: 'Roles',
  query: PageQuery,
  response: { status: 200, schema: PermissionList },
  handler: async (_scope, { query }) => listPermissions(query),
})

export const roles = {
  name: 'roles',
  routes: [listRolesRoute, createRoleRoute, getRoleRoute, updateRoleRoute, deleteRoleRoute, listPermissionsRoute],
} satisfies Feature
