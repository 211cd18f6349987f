import type { Among } from '../../../platform/work/across-tenants.ts'
import { type ReadTx, sql, type SystemTx, type TenantTx } from '../../../platform/database/database.ts'
import type { Id, TenantId } from '../../../platform/ids.ts'
import type { PageRequest } from '../../../platform/fields/sorting.ts'

export interface InvitationRow {
  id: Id<'memberInvitation'>
  email: string
  role_id: Id<'role'>
  role_name: string
  token_hash: string
  /** The inviter has seen the token, so it proves no mailbox. */
  handed_over: boolean
  created_at: Date
  expires_at: Date
}

const COLUMNS = sql`i.id, i.email, i.role_id, r.name as role_name, i.token_hash, i.handed_over, i.created_at, i.expires_at`

export function insertInvitation(
  tx: TenantTx,
  invitation: Omit<InvitationRow, 'role_name' | 'handed_over'>,
): Promise<number> {
  return tx.run(sql`
    insert into member_invitations (tenant_id, id, email, role_id, token_hash, created_at, expires_at)
    values (${tx.tenantId}, ${invitation.id}, ${invitation.email}, ${invitation.role_id}, ${invitation.token_hash}, ${invitation.created_at}, ${invitation.expires_at})`)
}

export function listOpen(tx: ReadTx, page: PageRequest, now: Date): Promise<InvitationRow[]> {
  return tx.many(sql<InvitationRow>`
    select ${COLUMNS} from member_invitations i
    join roles r on r.tenant_id = ${tx.tenantId} and r.id = i.role_id
    where i.tenant_id = ${tx.tenantId} and i.expires_at > ${now} and (${page.before}::uuid is null or i.id < ${page.before}::uuid)
    order by i.id desc limit ${page.limit + 1}`)
}

export function selectByToken(tx: ReadTx, tokenHash: string, now: Date): Promise<InvitationRow | undefined> {
  return tx.maybe(sql<InvitationRow>`
    select ${COLUMNS} from member_invitations i
    join roles r on r.tenant_id = ${tx.tenantId} and r.id = i.role_id
    where i.tenant_id = ${tx.tenantId} and i.token_hash = ${tokenHash} and i.expires_at > ${now}`)
}

interface Unlinked {
  token_hash: string
  role_id: Id<'role'>
}

/** Every deletion returns the token hash, the key of the directory's row. */
export function deleteInvitation(tx: TenantTx, id: Id<'memberInvitation'>): Promise<Unlinked | undefined> {
  return tx.maybe(
    sql<Unlinked>`delete from member_invitations where tenant_id = ${tx.tenantId} and id = ${id} returning token_hash, role_id`,
  )
}

export function deleteByEmail(tx: TenantTx, email: string): Promise<Unlinked | undefined> {
  return tx.maybe(
    sql<Unlinked>`delete from member_invitations where tenant_id = ${tx.tenantId} and email = ${email} returning token_hash, role_id`,
  )
}

/** Gives an open invitation a token to hand over. Returns the hash of the token before, and the role. */
export function handOver(
  tx: TenantTx,
  id: Id<'memberInvitation'>,
  tokenHash: string,
  now: Date,
): Promise<Unlinked | undefined> {
  return tx.maybe(sql<Unlinked>`
    with before as materialized (
      select id, token_hash from member_invitations
      where tenant_id = ${tx.tenantId} and id = ${id} and expires_at > ${now} for update)
    update member_invitations i set token_hash = ${tokenHash}, handed_over = true from before
    where i.tenant_id = ${tx.tenantId} and i.id = before.id returning before.token_hash, i.role_id`)
}

export async function deleteExpired(tx: TenantTx, now: Date, limit: number): Promise<string[]> {
  const rows = await tx.many(sql<{ token_hash: string }>`
    with expired as materialized (
      select id from member_invitations where tenant_id = ${tx.tenantId} and expires_at <= ${now} limit ${limit} for update skip locked)
    delete from member_invitations where tenant_id = ${tx.tenantId} and id = any(array(select id from expired)) returning token_hash`)
  return rows.map((row) => row.token_hash)
}

export async function listTenantsWithExpired(
  tx: SystemTx,
  { reachable }: Among,
  now: Date,
  limit: number,
): Promise<TenantId[]> {
  const rows = await tx.many(
    sql<{
      tenant_id: TenantId
    }>`select distinct tenant_id from member_invitations where expires_at <= ${now} and ${reachable} limit ${limit}`,
  )
  return rows.map((row) => row.tenant_id)
}

export async function listByEmails(tx: ReadTx, emails: string[]): Promise<string[]> {
  const rows = await tx.many(sql<{ id: string }>`
    select id from member_invitations where tenant_id = ${tx.tenantId} and email = any(${emails}::text[]) order by id`)
  return rows.map(({ id }) => id)
}

/** Returns the hashes of their tokens. */
export async function deleteInvitations(tx: TenantTx, ids: string[]): Promise<string[]> {
  const rows = await tx.many(sql<{ token_hash: string }>`
    delete from member_invitations where tenant_id = ${tx.tenantId} and id = any(${ids}::uuid[]) returning token_hash`)
  return rows.map(({ token_hash }) => token_hash)
}

export function listInvitations(
  tx: ReadTx,
  ids: string[],
): Promise<Array<{ email: string; created_at: Date; expires_at: Date }>> {
  return tx.many(sql<{ email: string; created_at: Date; expires_at: Date }>`
    select email, created_at, expires_at from member_invitations
    where tenant_id = ${tx.tenantId} and id = any(${ids}::uuid[]) order by id`)
}
