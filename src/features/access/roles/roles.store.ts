import { type ReadTx, sql, type TenantTx } from '../../../platform/database/database.ts'
import type { Id } from '../../../platform/ids.ts'
import type { PageRequest } from '../../../platform/fields/sorting.ts'
import type { Permission } from '../../../platform/permissions.ts'

export interface RoleRow {
  id: Id<'role'>
  name: string
  permissions: Permission[]
  built_in: boolean
  created_at: Date
}

const COLUMNS = sql`id, name, permissions, built_in, created_at`

/** Returns the new row, or nothing if the workspace has a role with this name. */
export function insertRole(
  tx: TenantTx,
  role: { id: Id<'role'>; name: string; permissions: readonly Permission[]; builtIn: boolean; now: Date },
): Promise<RoleRow | undefined> {
  return tx.maybe(sql<RoleRow>`
    insert into roles (tenant_id, id, name, permissions, built_in, created_at)
    values (${tx.tenantId}, ${role.id}, ${role.name}, ${role.permissions}::text[], ${role.builtIn}, ${role.now})
    on conflict do nothing
    returning ${COLUMNS}`)
}

export function findRole(tx: ReadTx, id: Id<'role'>): Promise<RoleRow | undefined> {
  return tx.maybe(sql<RoleRow>`select ${COLUMNS} from roles where tenant_id = ${tx.tenantId} and id = ${id}`)
}

export function listRoles(tx: ReadTx, page: PageRequest): Promise<RoleRow[]> {
  return tx.many(sql<RoleRow>`
    select ${COLUMNS} from roles
    where tenant_id = ${tx.tenantId} and (${page.before}::uuid is null or id < ${page.before}::uuid)
    order by id desc limit ${page.limit + 1}`)
}

/** Keeps a role that is being granted from being deleted, until the transaction ends. */
export function holdRole(tx: TenantTx, id: Id<'role'>): Promise<RoleRow | undefined> {
  return tx.maybe(
    sql<RoleRow>`select ${COLUMNS} from roles where tenant_id = ${tx.tenantId} and id = ${id} for key share`,
  )
}

/** Keeps everyone from changing or granting the role, until the transaction ends. */
export function lockRole(tx: TenantTx, id: Id<'role'>): Promise<RoleRow | undefined> {
  return tx.maybe(sql<RoleRow>`select ${COLUMNS} from roles where tenant_id = ${tx.tenantId} and id = ${id} for update`)
}

/** Locks a built-in role, so that changes of its members run one after another. */
export function lockBuiltInRole(tx: TenantTx, name: string): Promise<RoleRow | undefined> {
  return tx.maybe(
    sql<RoleRow>`select ${COLUMNS} from roles where tenant_id = ${tx.tenantId} and built_in and name = ${name} for no key update`,
  )
}

export function updateRole(
  tx: TenantTx,
  id: Id<'role'>,
  change: { name: string; permissions: readonly Permission[] },
): Promise<RoleRow | undefined> {
  return tx.maybe(sql<RoleRow>`
    update roles set name = ${change.name}, permissions = ${change.permissions}::text[]
    where tenant_id = ${tx.tenantId} and id = ${id}
    returning ${COLUMNS}`)
}

export function deleteRole(tx: TenantTx, id: Id<'role'>): Promise<number> {
  return tx.run(sql`delete from roles where tenant_id = ${tx.tenantId} and id = ${id}`)
}

/** Whether a member or an open invitation has the role. */
export async function isInUse(tx: ReadTx, id: Id<'role'>): Promise<boolean> {
  const row = await tx.one(sql<{ used: boolean }>`
    select exists (select from memberships where tenant_id = ${tx.tenantId} and role_id = ${id})
        or exists (select from member_invitations where tenant_id = ${tx.tenantId} and role_id = ${id}) as used`)
  return row.used
}
