import { type ReadTx, sql, type TenantTx } from '../../../platform/database/database.ts'
import type { Id } from '../../../platform/ids.ts'
import type { PageRequest } from '../../../platform/fields/sorting.ts'
import type { Permission } from '../../../platform/permissions.ts'

export interface MemberRow {
  user_id: Id<'user'>
  role_id: Id<'role'>
  role_name: string
  permissions: Permission[]
  built_in: boolean
  created_at: Date
  last_seen_at: Date | null
}

const MEMBER = sql`m.user_id, m.role_id, r.name as role_name, r.permissions, r.built_in, m.created_at, m.last_seen_at`

/** Returns the number added: 0 if the person is already a member. */
export function insertMembership(
  tx: TenantTx,
  member: { userId: Id<'user'>; roleId: Id<'role'>; now: Date },
): Promise<number> {
  return tx.run(sql`
    insert into memberships (tenant_id, user_id, role_id, created_at)
    values (${tx.tenantId}, ${member.userId}, ${member.roleId}, ${member.now})
    on conflict do nothing`)
}

export function listMembers(tx: ReadTx, page: PageRequest): Promise<MemberRow[]> {
  return tx.many(sql<MemberRow>`
    select ${MEMBER} from memberships m
    join roles r on r.tenant_id = ${tx.tenantId} and r.id = m.role_id
    where m.tenant_id = ${tx.tenantId} and (${page.before}::uuid is null or m.user_id < ${page.before}::uuid)
    order by m.user_id desc limit ${page.limit + 1}`)
}

export function selectMember(tx: ReadTx, userId: Id<'user'>): Promise<MemberRow | undefined> {
  return tx.maybe(sql<MemberRow>`
    select ${MEMBER} from memberships m
    join roles r on r.tenant_id = ${tx.tenantId} and r.id = m.role_id
    where m.tenant_id = ${tx.tenantId} and m.user_id = ${userId}`)
}

export async function listWithPermission(tx: ReadTx, permission: Permission): Promise<Array<Id<'user'>>> {
  const rows = await tx.many(sql<{ user_id: Id<'user'> }>`
    select m.user_id from memberships m
    join roles r on r.tenant_id = ${tx.tenantId} and r.id = m.role_id
    where m.tenant_id = ${tx.tenantId} and ${permission} = any(r.permissions)
    order by m.user_id`)
  return rows.map((row) => row.user_id)
}

export async function countOthersInRole(tx: ReadTx, roleId: Id<'role'>, userId: Id<'user'>): Promise<number> {
  const row = await tx.one(sql<{ count: number }>`
    select count(*)::int as count from memberships where tenant_id = ${tx.tenantId} and role_id = ${roleId} and user_id <> ${userId}`)
  return row.count
}

export function touchMember(tx: TenantTx, userId: Id<'user'>, now: Date): Promise<number> {
  return tx.run(
    sql`update memberships set last_seen_at = ${now} where tenant_id = ${tx.tenantId} and user_id = ${userId}`,
  )
}

export function updateMemberRole(tx: TenantTx, userId: Id<'user'>, roleId: Id<'role'>): Promise<number> {
  return tx.run(
    sql`update memberships set role_id = ${roleId} where tenant_id = ${tx.tenantId} and user_id = ${userId}`,
  )
}

export function deleteMember(tx: TenantTx, userId: Id<'user'>): Promise<number> {
  return tx.run(sql`delete from memberships where tenant_id = ${tx.tenantId} and user_id = ${userId}`)
}

export async function listMembersAmong(tx: ReadTx, userIds: Id<'user'>[]): Promise<Array<Id<'user'>>> {
  const rows = await tx.many(sql<{ user_id: Id<'user'> }>`
    select user_id from memberships where tenant_id = ${tx.tenantId} and user_id = any(${userIds}::uuid[])`)
  return rows.map((row) => row.user_id)
}
