import type { z } from 'zod'
import { pageOfAll, pageRequest, presentPage, type Page, type PageQuery } from '../../../http/routes/pagination.ts'
import { conflict, notFound, unprocessable, requireUnchanged } from '../../../http/problems/problem.ts'
import { auditOf } from '../../../platform/audit.ts'
import { isUniqueViolation, type TenantTx } from '../../../platform/database/database.ts'
import { formatId, newId, parseId, type Id } from '../../../platform/ids.ts'
import { PERMISSIONS } from '../../../platform/permissions.ts'
import type { Scope } from '../../../platform/scope.ts'
import { BUILT_IN_ROLES, OWNER, type BuiltInRole } from './built-in-roles.ts'
import { parsePermissions, requireHeld, sortPermissions } from './permission-rules.ts'
import { PERMISSION_MEANINGS, type CreateRole, type PermissionList, Role, type UpdateRole } from './roles.schema.ts'
import * as store from './roles.store.ts'

const audited = auditOf('role', { schema: Role })

type Presented = z.input<typeof Role>

export async function listRoles(scope: Scope, query: z.output<typeof PageQuery>): Promise<Page<Presented>> {
  const page = pageRequest(query)
  return presentPage(await scope.read((tx) => store.listRoles(tx, page)), page, present)
}

/** @throws Problem 404. */
export async function getRole(scope: Scope, id: Id<'role'>): Promise<Presented> {
  const row = await scope.read((tx) => store.findRole(tx, id))
  if (!row) throw notFound('role')
  return present(row)
}

/**
 * @throws Problem 403 naming a permission that the caller lacks; 409 `role_name_taken`; 422 for an unknown permission.
 */
export async function createRole(scope: Scope, body: z.output<typeof CreateRole>): Promise<Presented> {
  const permissions = parsePermissions(body.permissions)
  requireHeld(scope.principal, permissions)
  const role = { id: newId('role'), name: body.name, permissions, builtIn: false, now: scope.clock.now() }
  const row = await scope.tx(async (tx) => {
    const made = await store.insertRole(tx, role)
    if (made) audited(scope, tx, 'create', made.id, { after: present(made) })
    return made
  })
  if (!row) throw nameTaken()
  return present(row)
}

/**
 * @throws Problem 403 if the role has, or would get, a permission that the caller lacks; 409 for a built-in role or a
 * name in use; 412 `stale`.
 */
export async function updateRole(
  scope: Scope,
  id: Id<'role'>,
  body: z.output<typeof UpdateRole>,
  ifMatch?: string,
): Promise<Presented> {
  const permissions = body.permissions && parsePermissions(body.permissions)
  try {
    const row = await scope.tx(async (tx) => {
      const role = await requireCustomRole(tx, id)
      requireHeld(scope.principal, [...role.permissions, ...(permissions ?? [])])
      requireUnchanged(ifMatch, present(role))
      const changed = await store.updateRole(tx, id, {
        name: body.name ?? role.name,
        permissions: permissions ?? role.permissions,
      })
      if (changed) audited(scope, tx, 'update', id, { before: present(role), after: present(changed) })
      return changed
    })
    if (!row) throw notFound('role')
    return present(row)
  } catch (error) {
    throw isUniqueViolation(error) ? nameTaken() : error
  }
}

/** @throws Problem 409 for a built-in role, or one that a member or an invitation has; 412 `stale`. */
export async function deleteRole(scope: Scope, id: Id<'role'>, ifMatch?: string): Promise<void> {
  await scope.tx(async (tx) => {
    const role = await requireCustomRole(tx, id)
    requireHeld(scope.principal, role.permissions)
    requireUnchanged(ifMatch, present(role))
    if (await store.isInUse(tx, id))
      throw conflict('role_in_use', 'Members or open invitations have this role. Give them another role first.')
    await store.deleteRole(tx, id)
    audited(scope, tx, 'delete', id)
  })
}

/** The built-in roles of a new workspace, by name. */
export async function createBuiltInRoles(scope: Scope, tx: TenantTx): Promise<Record<BuiltInRole, Id<'role'>>> {
  const now = scope.clock.now()
  const ids: Partial<Record<BuiltInRole, Id<'role'>>> = {}
  for (const [name, permissions] of Object.entries(BUILT_IN_ROLES)) {
    const id = newId('role')
    await store.insertRole(tx, { id, name, permissions, builtIn: true, now })
    ids[name as BuiltInRole] = id
  }
  return ids as Record<BuiltInRole, Id<'role'>>
}

/**
 * The role that a request wants to grant, locked until the transaction ends.
 * @throws Problem 422 for an unknown role; 403 naming a permission of it that the caller lacks.
 */
export async function requireGrantableRole(scope: Scope, tx: TenantTx, roleId: string): Promise<store.RoleRow> {
  const id = parseId('role', roleId)
  const role = id ? await store.holdRole(tx, id) : undefined
  if (!role)
    throw unprocessable('unknown_role', [{ path: 'role_id', message: 'There is no such role in this workspace.' }])
  requireHeld(scope.principal, role.permissions)
  return role
}

/** Locks the owner role, so that changes of its members run one after another. */
export async function lockOwnerRole(tx: TenantTx): Promise<Id<'role'>> {
  const owner = await store.lockBuiltInRole(tx, OWNER)
  if (!owner) throw new Error('the workspace has no owner role')
  return owner.id
}

export function listPermissions(query: z.output<typeof PageQuery>): z.input<typeof PermissionList> {
  return pageOfAll(
    PERMISSIONS.map((name) => ({ name, description: PERMISSION_MEANINGS[name] })),
    query,
  )
}

async function requireCustomRole(tx: TenantTx, id: Id<'role'>): Promise<store.RoleRow> {
  const role = await store.lockRole(tx, id)
  if (!role) throw notFound('role')
  if (role.built_in)
    throw conflict('built_in_role', 'Built-in roles cannot be changed or deleted. Create a role of your own instead.')
  return role
}

function nameTaken() {
  return conflict('role_name_taken', 'The workspace already has a role with this name. Choose another name.')
}

function present(row: store.RoleRow): Presented {
  return {
    id: formatId('role', row.id),
    name: row.name,
    permissions: sortPermissions(row.permissions),
    built_in: row.built_in,
    created_at: row.created_at.toISOString(),
  }
}
