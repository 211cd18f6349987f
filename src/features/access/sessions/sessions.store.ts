import type { Among } from '../../../platform/work/across-tenants.ts'
import { type ReadTx, sql, type SystemTx, type TenantTx } from '../../../platform/database/database.ts'
import type { Id, TenantId } from '../../../platform/ids.ts'
import type { PageRequest } from '../../../platform/fields/sorting.ts'
import type { Permission } from '../../../platform/permissions.ts'

/** A session with the user data that a request needs. */
export interface SessionRow {
  id: Id<'session'>
  user_id: Id<'user'>
  last_used_at: Date
  expires_at: Date
  last_seen_at: Date | null
  role_id: Id<'role'>
  permissions: Permission[]
  ip_allowlist: string[]
}

const FIND = `
  select s.id, s.user_id, s.last_used_at, s.expires_at, m.role_id, m.last_seen_at, r.permissions, w.ip_allowlist
  from sessions s
  cross join lateral (select role_id, last_seen_at from memberships where tenant_id = $1 and user_id = s.user_id offset 0) m
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

export function touchSession(
  tx: TenantTx,
  id: Id<'session'>,
  used: { now: Date; validUntil: Date; sealed: string | null },
): Promise<number> {
  return tx.run(sql`
    update sessions set last_used_at = ${used.now}, valid_until = ${used.validUntil}, sealed = ${used.sealed}
    where tenant_id = ${tx.tenantId} and id = ${id}`)
}

export function insertSession(
  tx: TenantTx,
  session: {
    id: Id<'session'>
    userId: Id<'user'>
    tokenHash: string
    now: Date
    validUntil: Date
    expiresAt: Date
    sealed: string | null
  },
): Promise<number> {
  return tx.run(sql`
    insert into sessions
      (tenant_id, id, user_id, token_hash, created_at, last_used_at, valid_until, expires_at, sealed)
    values (${tx.tenantId}, ${session.id}, ${session.userId}, ${session.tokenHash}, ${session.now}, ${session.now},
      ${session.validUntil}, ${session.expiresAt}, ${session.sealed})`)
}

export interface OpenSession {
  id: Id<'session'>
  created_at: Date
  last_used_at: Date
  expires_at: Date
  sealed: string | null
}

const OPEN = sql.raw('id, created_at, last_used_at, expires_at, sealed')

/** The session of the caller. Null if it has just ended. */
export function selectSession(tx: ReadTx, id: Id<'session'>): Promise<OpenSession | undefined> {
  return tx.maybe(sql<OpenSession>`select ${OPEN} from sessions where tenant_id = ${tx.tenantId} and id = ${id}`)
}

export function listOfUser(
  tx: ReadTx,
  userId: Id<'user'>,
  { now, before, limit }: PageRequest & { now: Date },
): Promise<OpenSession[]> {
  return tx.many(sql<OpenSession>`
    select ${OPEN} from sessions
    where tenant_id = ${tx.tenantId} and user_id = ${userId} and valid_until > ${now}
      and (${before}::uuid is null or id < ${before}::uuid)
    order by id desc limit ${limit + 1}`)
}

/** Every deletion returns the token hashes, the keys of the directory's rows. */
export function deleteSession(
  tx: TenantTx,
  id: Id<'session'>,
  userId: Id<'user'>,
): Promise<{ token_hash: string; expires_at: Date } | undefined> {
  return tx.maybe(sql<{ token_hash: string; expires_at: Date }>`
    delete from sessions where tenant_id = ${tx.tenantId} and id = ${id} and user_id = ${userId}
    returning token_hash, expires_at`)
}

export function deleteOfUser(
  tx: TenantTx,
  userId: Id<'user'>,
  kept: Id<'session'> | null,
): Promise<Array<{ id: Id<'session'>; token_hash: string }>> {
  return tx.many(sql<{ id: Id<'session'>; token_hash: string }>`
    delete from sessions
    where tenant_id = ${tx.tenantId} and user_id = ${userId} and id is distinct from ${kept}::uuid
    returning id, token_hash`)
}

export async function deleteEnded(tx: TenantTx, now: Date, limit: number): Promise<string[]> {
  const rows = await tx.many(sql<{ token_hash: string }>`
    delete from sessions where tenant_id = ${tx.tenantId} and id in (
      select id from sessions where tenant_id = ${tx.tenantId} and valid_until >= '-infinity' and valid_until <= ${now} limit ${limit})
    returning token_hash`)
  return rows.map((row) => row.token_hash)
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
