import type { ReadTx, TenantTx } from '../../../platform/database/database.ts'
import { unprocessable, type Issue } from '../../../http/problems/problem.ts'
import { register, unregister } from '../../../platform/database/directory.ts'
import { formatId, parseId, type Id, type TenantId } from '../../../platform/ids.ts'
import type { Permission } from '../../../platform/permissions.ts'
import type { Scope, SystemScope } from '../../../platform/scope.ts'
import { stageEmailToEach, type NewEmail } from '../mail/mail.service.ts'
import * as store from './members.store.ts'

/** Adds a person in the caller's transaction. A person who is already a member keeps their role. */
export async function addMember(
  scope: Scope,
  tx: TenantTx,
  member: { userId: Id<'user'>; roleId: Id<'role'> },
): Promise<void> {
  const added = await store.insertMembership(tx, { ...member, now: scope.clock.now() })
  if (added === 1) await register(tx, 'membership', [member.userId])
}

/** Ends a membership, also that of the last owner. Returns its role, or null if there was none. */
export async function leave(tx: TenantTx, userId: Id<'user'>): Promise<Id<'role'> | null> {
  const member = await store.selectMember(tx, userId)
  if (!member) return null
  await store.deleteMember(tx, userId)
  await unregister(tx, 'membership', [userId])
  return member.role_id
}

/** Sends one mail to each member whose role has the permission. */
export async function stageEmailToHolders(
  scope: Scope,
  tx: TenantTx,
  permission: Permission,
  email: Omit<NewEmail, 'to'>,
): Promise<void> {
  const holders = await store.listWithPermission(tx, permission)
  await stageEmailToEach(
    scope,
    tx,
    email,
    holders.map((userId) => ({ userId })),
  )
}

export async function isMember(tx: TenantTx, userId: Id<'user'>): Promise<boolean> {
  return (await store.selectMember(tx, userId)) !== undefined
}

/** The permissions of a member's role. Null for a user who is not a member. */
export async function memberPermissions(tx: TenantTx, userId: Id<'user'>): Promise<Permission[] | null> {
  return (await store.selectMember(tx, userId))?.permissions ?? null
}

/**
 * The members that a body names, by their paths.
 * @param kept those who stood there before. They may have left meanwhile.
 * @throws Problem 422 with the path of each id that is malformed or no member's.
 */
export async function requireMembers(
  tx: ReadTx,
  named: Record<string, string>,
  kept: Id<'user'>[] = [],
): Promise<Map<string, Id<'user'>>> {
  const ids = Object.entries(named).map(([path, text]) => ({ path, id: parseId('user', text) }))
  if (ids.length === 0) return new Map()
  const members = await store.listMembersAmong(
    tx,
    ids.flatMap(({ id }) => id ?? []),
  )
  const known = new Set([...members, ...kept])
  const found = ids.flatMap(({ path, id }): Array<[string, Id<'user'>]> => (id && known.has(id) ? [[path, id]] : []))
  const issues = ids.flatMap(({ path, id }): Issue[] =>
    id && known.has(id) ? [] : [{ path, message: 'There is no such member. Use an id of GET /v1/members.' }],
  )
  if (issues.length > 0) throw unprocessable('unknown_member', issues)
  return new Map(found)
}

/** The members among these users. */
export async function membersAmong(tx: ReadTx, userIds: Id<'user'>[]): Promise<Id<'user'>[]> {
  return userIds.length === 0 ? [] : store.listMembersAmong(tx, userIds)
}

/** The roles of a person in some workspaces. */
export async function findRoles(
  system: SystemScope,
  userId: Id<'user'>,
  tenantIds: TenantId[],
): Promise<Map<TenantId, { id: string; name: string }>> {
  const roles = new Map<TenantId, { id: string; name: string }>()
  for (const tenantId of tenantIds) {
    const member = await system.tenant(tenantId, { type: 'system' }).read((tx) => store.selectMember(tx, userId))
    if (member) roles.set(tenantId, { id: formatId('role', member.role_id), name: member.role_name })
  }
  return roles
}
