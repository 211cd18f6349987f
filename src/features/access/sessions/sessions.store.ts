import type { Among } from '../../../platform/work/across-tenants.ts'
import { type ReadTx, sql, type SystemTx, type TenantTx } from '../../../platform/database/database.ts'
import type { Id, TenantId } from '../../../platform/ids.ts'
import type { Permission } from '../../../platform/permissions.ts'

/** A session with the user data that a request needs. */
export interface SessionRow {
  id: string
  user_id: Id<'user'>
  last_used_at: Date
  expires_at: Date
  role_id: Id<'role'>
  permissions: Permission[]
  ip_allowlist: string[]
}

const FIND = `
  select s.id, s.user_id, s.last_used_at, s.expires_at, m.role_id, r.permissions, w.ip_allowlist
  from sessions s
  cross join lateral (select role_id from memberships where tenant_id = $1 and user_id = s.user_id offset 0) m
  cross join lateral (select permissions from roles where tenant_id = $1 and id = m.role_id offset 0) r
  cross join lateral (select ip_allowlist from workspaces where tenant_id = $1 offset 0) w
  where s.tenant_id = $1 and s.token_hash = $2 and s.valid_until > $3`

export async function findSession(tx: ReadTx, tokenHash: string, now: Date): Promise<SessionRow | undefined> {
  const [row] = await tx.prepared<SessionRow>({
    name: 'find_session',
    text: FIND,
    values: [tx.tenantId, tokenHash, now],
  })
  return row
}

export function touchSession(tx: TenantTx, id: string, used: { now: Date; validUntil: Date }): Promise<number> {
  return tx.run(
    sql`update sessions set last_used_at = ${used.now}, valid_until = ${used.validUntil} where tenant_id = ${tx.tenantId} and id = ${id}`,
  )
}

export function insertSession(
  tx: TenantTx,
  session: { id: string; userId: Id<'user'>; tokenHash: string; now: Date; validUntil: Date; expiresAt: Date },
): Promise<number> {
  return tx.run(sql`
    insert into sessions (tenant_id, id, user_id, token_hash, created_at, last_used_at, valid_until, expires_at)
    values (${tx.tenantId}, ${session.id}, ${session.userId}, ${session.tokenHash}, ${session.now}, ${session.now}, ${session.validUntil}, ${session.expiresAt})`)
}

/** Every deletion returns the token hashes, the keys of the directory's rows. */
export function deleteSession(tx: TenantTx, id: string): Promise<{ token_hash: string; expires_at: Date } | undefined> {
  return tx.maybe(sql<{ token_hash: string; expires_at: Date }>`
    delete from sessions where tenant_id = ${tx.tenantId} and id = ${id} returning token_hash, expires_at`)
}

export async function deleteOfUser(tx: TenantTx, userId: Id<'user'>): Promise<string[]> {
  return hashes(
    await tx.many(
      sql<Hash>`delete from sessions where tenant_id = ${tx.tenantId} and user_id = ${userId} returning token_hash`,
    ),
  )
}

export async function deleteEnded(tx: TenantTx, now: Date, limit: number): Promise<string[]> {
  return hashes(
    await tx.many(sql<Hash>`
      delete from sessions where tenant_id = ${tx.tenantId} and id in (
        select id from sessions where tenant_id = ${tx.tenantId} and valid_until >= '-infinity' and valid_until <= ${now} limit ${limit})
      returning token_hash`),
  )
}

export async function listTenantsWithEnded(
  tx: SystemTx,
  { reachable }: Among,
  now: Date,
  limit: number,
): Promise<TenantId[]> {
  const rows = await tx.many(
    sql<{
      tenant_id: TenantId
    }>`select distinct tenant_id from sessions where valid_until >= '-infinity' and valid_until <= ${now} and ${reachable} limit ${limit}`,
  )
  return rows.map((row) => row.tenant_id)
}

interface Hash {
  token_hash: string
}

function hashes(rows: Hash[]): string[] {
  return rows.map((row) => row.token_hash)
}
