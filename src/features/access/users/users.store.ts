import { sql, type SystemTx } from '../../../platform/database.ts'
import type { Id } from '../../../platform/ids.ts'

export interface UserRow {
  id: Id<'user'>
  email: string
  name: string
  password_hash: string
  /** True if the password changed and older sessions may still be open. */
  sessions_to_end: boolean
}

export function selectByEmail(tx: SystemTx, email: string): Promise<UserRow | undefined> {
  return tx.maybe(
    sql<UserRow>`select id, email, name, password_hash, sessions_to_end from users where email = ${email}`,
  )
}

export function selectByIds(tx: SystemTx, ids: Array<Id<'user'>>): Promise<UserRow[]> {
  return tx.many(
    sql<UserRow>`select id, email, name, password_hash, sessions_to_end from users where id = any(${ids}::uuid[])`,
  )
}

/** Returns the new row, or nothing if the address is taken. */
export function insertUser(
  tx: SystemTx,
  user: { id: Id<'user'>; email: string; name: string; passwordHash: string; now: Date },
): Promise<UserRow | undefined> {
  return tx.maybe(sql<UserRow>`
    insert into users (id, email, name, password_hash, sessions_to_end, created_at)
    values (${user.id}, ${user.email}, ${user.name}, ${user.passwordHash}, false, ${user.now})
    on conflict do nothing
    returning id, email, name, password_hash, sessions_to_end`)
}

export function updatePassword(tx: SystemTx, id: Id<'user'>, passwordHash: string): Promise<number> {
  return tx.run(sql`update users set password_hash = ${passwordHash}, sessions_to_end = true where id = ${id}`)
}

export async function listWithSessionsToEnd(tx: SystemTx, limit: number): Promise<Array<Id<'user'>>> {
  const rows = await tx.many(
    sql<{ id: Id<'user'> }>`select id from users where sessions_to_end order by id limit ${limit}`,
  )
  return rows.map((row) => row.id)
}

export function clearSessionsToEnd(tx: SystemTx, id: Id<'user'>): Promise<number> {
  return tx.run(sql`update users set sessions_to_end = false where id = ${id}`)
}
