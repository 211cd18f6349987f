import { type ReadTx, sql, type TenantTx } from '../../../platform/database/database.ts'

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
