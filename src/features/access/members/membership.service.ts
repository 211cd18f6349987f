import type { TenantTx } from '../../../platform/database.ts'
import { register } from '../../../platform/directory.ts'
import type { Id } from '../../../platform/ids.ts'
import type { Permission } from '../../../platform/permissions.ts'
import type { Scope } from '../../../platform/scope.ts'
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

/** The members whose role has a permission. */
export function listHolders(tx: TenantTx, permission: Permission): Promise<Array<Id<'user'>>> {
  return store.listWithPermission(tx, permission)
}

export async function isMember(tx: TenantTx, userId: Id<'user'>): Promise<boolean> {
  return (await store.selectMember(tx, userId)) !== undefined
}
