import type { z } from 'zod'
import { pageRequest, presentPage, type Page, type PageQuery } from '../../../http/routes/pagination.ts'
import { conflict, notFound } from '../../../http/problems/problem.ts'
import { auditOf } from '../../../platform/audit.ts'
import type { TenantTx } from '../../../platform/database/database.ts'
import { unregister } from '../../../platform/database/directory.ts'
import { formatId, type Id } from '../../../platform/ids.ts'
import { heldBy } from '../../../platform/readers.ts'
import type { Scope } from '../../../platform/scope.ts'
import { requireHeld } from '../roles/permission-rules.ts'
import { lockOwnerRole, requireGrantableRole } from '../roles/roles.service.ts'
import { endSessionsHere } from '../sessions/ending.service.ts'
import { findUser, listUsers, type UserRow } from '../users/users.service.ts'
import { type Member, UpdateMember } from './members.schema.ts'
import * as store from './members.store.ts'

const audited = auditOf('user', { noun: 'member', schema: UpdateMember })

type Presented = z.input<typeof Member>

export async function listMembers(scope: Scope, query: z.output<typeof PageQuery>): Promise<Page<Presented>> {
  const page = pageRequest(query)
  const rows = await scope.read((tx) => store.listMembers(tx, page))
  const users = await listUsers(
    scope,
    rows.map((row) => row.user_id),
  )
  return presentPage(
    rows.map((row) => ({ ...row, id: row.user_id })),
    page,
    (row) => present(scope, row, users.get(row.user_id)),
  )
}

/**
 * @throws Problem 403 if the caller lacks a permission of the member's present or new role; 409 `last_owner`; 422 for
 * an unknown role.
 */
export async function changeMemberRole(
  scope: Scope,
  userId: Id<'user'>,
  body: z.output<typeof UpdateMember>,
): Promise<Presented> {
  const member = await scope.tx(async (tx) => {
    const ownerRoleId = await lockOwnerRole(tx)
    const before = await requireMember(tx, userId)
    requireHeld(scope.principal, before.permissions)
    const role = await requireGrantableRole(scope, tx, body.role_id)
    if (before.role_id === ownerRoleId && role.id !== ownerRoleId) await requireAnotherOwner(tx, ownerRoleId, userId)
    await store.updateMemberRole(tx, userId, role.id)
    audited(scope, tx, 'update', userId, { before: roleOf(before.role_id), after: roleOf(role.id) })
    return requireMember(tx, userId)
  })
  return present(scope, member, await findUser(scope, userId))
}

/**
 * Ends a membership and its sessions. The member's API keys stop until another member adopts them.
 * @throws Problem 403 if the caller lacks a permission of the member; 409 `last_owner`.
 */
export async function removeMember(scope: Scope, userId: Id<'user'>): Promise<void> {
  await scope.tx(async (tx) => {
    const ownerRoleId = await lockOwnerRole(tx)
    const member = await requireMember(tx, userId)
    requireHeld(scope.principal, member.permissions)
    if (member.role_id === ownerRoleId) await requireAnotherOwner(tx, ownerRoleId, userId)
    await store.deleteMember(tx, userId)
    await unregister(tx, 'membership', [userId])
    await endSessionsHere(tx, userId)
    audited(scope, tx, 'remove', userId)
  })
}

async function requireMember(tx: TenantTx, userId: Id<'user'>): Promise<store.MemberRow> {
  const member = await store.selectMember(tx, userId)
  if (!member) throw notFound('user')
  return member
}

async function requireAnotherOwner(tx: TenantTx, ownerRoleId: Id<'role'>, userId: Id<'user'>): Promise<void> {
  if ((await store.countOthersInRole(tx, ownerRoleId, userId)) > 0) return
  throw conflict('last_owner', 'A workspace needs at least one owner. Make another member an owner first.')
}

function roleOf(id: Id<'role'>): { role_id: string } {
  return { role_id: formatId('role', id) }
}

function present({ principal }: Scope, row: store.MemberRow, user: UserRow | undefined): Presented {
  const isShown = heldBy(principal).has('members.manage')
  return {
    id: formatId('user', row.user_id),
    name: user?.name ?? '',
    email: user?.email ?? '',
    role: { id: formatId('role', row.role_id), name: row.role_name },
    joined_at: row.created_at.toISOString(),
    last_seen_at: isShown && row.last_seen_at ? row.last_seen_at.toISOString() : null,
  }
}
